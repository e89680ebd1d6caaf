//! How an evaluation looks: sections of tables that terminal and page share, curves, and the folder of a report.
//!
//! Names of sets, categories, campaigns and ids are other people's text: whoever prints a section escapes every cell.

mod cells;
pub mod chart;
mod costs;
mod curves;
mod detection;
pub mod folder;
mod mistakes;
mod page;
pub mod section;

pub use folder::{Folder, FolderError};
pub use section::{Section, sections};
