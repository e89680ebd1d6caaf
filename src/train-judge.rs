//! The `train-judge` program: fits the weights of the embedded judge to labelled corpora.

fn main() -> std::process::ExitCode {
    skillgate::eval::train::main()
}
