//! What data is: where secrets lie, and what people call them.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "rows are alike, whether or not one holds a quotation mark"
)]

use super::{Class, Row};

pub(super) const ROWS: &[Row] = &[
    (
        Class::CredentialFile,
        r#"
            `.ssh/` `~/.ssh` `id_rsa` `id_ed25519` `id_ecdsa` `.aws/` `~/.aws` `.netrc` `.npmrc` `.pypirc`
            `.git-credentials` `.kube/config` `kubeconfig` `.docker/config.json` `gh/hosts.yml` `hub/hosts.yml`
            `.env` `.env.*` `/.env` `credentials.json` `application_default_credentials` `.gnupg` `.vault-token`
            `/etc/shadow` `.pgpass` `.my.cnf` `config/gcloud` `.azure/` `accesstokens.json` `tfstate` `rclone.conf`
            `service-account.json` `service_account.json` `*.pem` `*.p12` `*.pfx` `*.ppk` `*.jks` `.htpasswd`
            `.boto` `.s3cfg` `.databrickscfg` `.cargo/credentials` `.gem/credentials` `.terraform.d` `secrets.yml`
            `secrets.yaml` `secrets.json` `auth.json` `token.json` `*.ovpn` `/etc/passwd` `wp-config.php`
            `.config/gh` `.fly/config.yml` `.netlify/config.json` `huggingface/token` 
            `launcher_profiles` `launcher_accounts` `tdata` `signal/config.json` `.age/` `keys.txt` `authinfo`
            `config/op` `/run/secrets` `serviceaccount/token` `.bash_history` `.zsh_history`
            `shell history` `consolehost_history` `wireguard` `*.key"` `*.key'` `*.key)` `*.key ` `.mitmproxy`
            `kwallet` `id_dsa` `ssh keys` `ssh key` `ssh-schlüssel` `clés ssh` `claves ssh` `chaves ssh`
            `chiavi ssh` `ssh-ключ*` `ssh 密钥` `ssh密钥` `ssh鍵` `ssh 키` `ssh anahtar*` `klucze ssh` `gh auth token`
            `print-access-token` `get-session-token` `get secret` `vault kv get` `auth:token` `(pem` `|pem` `pem|`
            `|key|` `(key|` `token|` `|token` `|login` `login|` `session|` `.config/wandb`
        "#,
    ),
    (
        Class::SecretWord,
        r#"
            `private key*` `api key*` `api-key*` `apikey*` `access key*` `access token*` `auth token*`
            `session token*` `bearer token*` `refresh token*` `credential*` `password*` `passphrase*` `secret*`
            `token` `tokens` `login data` `session cookie*` `cookies` `connection string*` `signing key*`
            `deploy key*` `schlüssel*` `zugangsdaten*` `passwort*` `passwörter*` `geheimnis*` `zertifikat*`
            `mot de passe` `mots de passe` `identifiants` `jeton*` `clé privée` `clés` `contraseña*` `credencial*`
            `clave*` `chave*` `senha*` `credenciai*` `credenziali` `chiavi` `parola chiave` `wachtwoord*` `sleutel*`
            `ключ*` `парол*` `токен*` `учётные данные` `учетные данные` `секрет*` `облікові` `hasł*` `poświadczen*`
            `şifre*` `parola*` `kimlik bilgi*` `密钥` `密码` `口令` `凭证` `凭据` `令牌` `私钥` `秘钥` `鍵` `秘密` `パスワード` `認証情報`
            `資格情報` `トークン` `비밀번호` `자격 증명` `인증 정보` `토큰` `비밀 키` `kata sandi` `kredensial` `mật khẩu` `khóa`
            `thông tin đăng nhập`
        "#,
    ),
    (
        Class::Environment,
        r#"
            `printenv` `os.environ)` `os.environ.items` `os.environ.copy` `os.environ,` `dict(os.environ`
            `**os.environ` `in os.environ` `os.environ}` `process.env)` `...process.env` `process.env,`
            `process.env }` `env |` `$(env)` `env|` `env >` `env)` `set |` `export -p` `declare -x` `declare -p`
            `gci env:` `dir env:` `get-childitem env:` `ls env:` `tojson(secrets)` `tojson(env)` `env.to_h`
            `env.map` `env.to_a` `os.environ()` `/proc/self/environ` `/proc/*environ` `system.getenv()`
            `std::env::vars` `environment variable*` `whole environment` `entire environment` `full environment`
            `environment dump` `its environment` `their environment` `your environment` `output of env`
            `umgebungsvariable*` `variables d'environnement` `variables de entorno` `variáveis de ambiente`
            `variabili d'ambiente` `omgevingsvariabelen` `переменные окружения` `окружение` `змінні середовища`
            `zmienne środowiskowe` `ortam değişken*` `环境变量` `環境変数` `환경 변수` `환경변수` `variabel lingkungan`
            `biến môi trường`
        "#,
    ),
    (
        Class::Keychain,
        r#"
            `find-generic-password` `find-internet-password` `dump-keychain` `login.keychain` `keychain` `keychains`
            `secret-tool` `gnome-keyring` `libsecret` `keyring.get` `credenumerate` `cmdkey` `vaultcmd`
            `credential manager` `1password` `bitwarden` `bw export` `bw list` `keepass*` `kdbx` `pass show`
            `password manager` `password store` `password-store` `lsass` `mimikatz` `sekurlsa` `dpapi`
            `cryptunprotectdata` `unprotectdata` `ntds.dit` `sam.hive` `system.hive` `lastpass`
            `gestor de contraseñas` `gestionnaire de mots de passe` `passwortmanager` `schlüsselbund`
        "#,
    ),
    (
        Class::BrowserStore,
        r#"
            `login data` `cookies.sqlite` `logins.json` `key4.db` `key3.db` `places.sqlite` `web data` `local state`
            `google/chrome` `google\chrome` `google-chrome` `bravesoftware` `brave-browser` `.mozilla`
            `mozilla/firefox` `firefox/profiles` `microsoft/edge` `microsoft\edge` `user data\default`
            `user data/default` `browser cookies` `browser history` `browser profile*` `cookie store`
            `cookie jar of` `browser_cookie3` `browsercookie` `pycookiecheat` `network/cookies` `default/cookies`
            `session storage` `saved logins` `saved passwords` `browser-cookies` `cookies du navigateur`
            `cookies del navegador` `cookies do navegador` `куки браузера` `浏览器 cookie` `浏览器的 cookie` `ブラウザの cookie`
            `브라우저 쿠키` `.thunderbird` `thunderbird/profiles`
        "#,
    ),
    (
        Class::Wallet,
        r#"
            `wallet.dat` `keystore` `metamask` `seed phrase*` `recovery phrase*` `secret recovery` `mnemonic`
            `phantom wallet` `exodus` `.electrum` `electrum` `ledger live` `solana/id.json` `id.json`
            `atomic wallet` `trust wallet` `wallet file*` `wallet key*` `private key of the wallet` `12 words`
            `twelve words` `24 words` `bip39` `bip-39` `wiederherstellungsphrase` `phrase de récupération`
            `frase de recuperación` `frase semilla` `frase de recuperação` `frase semente` `frase seed` `сид-фраз*`
            `seed-фраз*` `мнемоническ*` `助记词` `シードフレーズ` `リカバリーフレーズ` `시드 문구` `복구 문구`
            `nkbihfbeogaeaoehlefnkodbefgpgknn` `leveldb`
        "#,
    ),
    (
        Class::SourceTree,
        r#"
            `git bundle` `git archive` `tar cz` `tar -cz` `tar cf -` `zip -r` `whole repository` `entire repository`
            `full repository` `whole repo` `entire repo` `source code of` `entire codebase` `whole codebase`
            `source tree` `all source files` `whole project` `entire project` `project directory`
            `private repositor*` `private repo*` `git diff` `git log -p` `git ls-files` `shutil.make_archive`
            `compress-archive` `gesamte repository` `dépôt entier` `repositorio completo` `repositório inteiro`
            `весь репозиторий` `整个仓库` `整个项目` `リポジトリ全体` `저장소 전체` 
        "#,
    ),
    (
        Class::AgentMemory,
        r#"
            `memory.md` `memory file` `memory files` `agent memory` `your memory` `its memory` `long-term memory`
            `memories` `claude.md` `agents.md` `gemini.md` `.cursorrules` `copilot-instructions` `.windsurfrules`
            `.clinerules` `soul.md` `cursor/rules` `.claude/commands` `standing instructions` `standing order*`
            `standing rule*` `global instructions` `user rules` `memory entry` `save to memory`
            `remember permanently` `global memory` `记忆` `メモリ` `메모리에` `gedächtnis` `mémoire de l'agent`
            `memoria del agente`
        "#,
    ),
    (
        Class::AgentSettings,
        r#"
            `.claude/settings` `claude/settings` `.claude.json` `claude_desktop_config` `.mcp.json` `mcp.json`
            `mcp_config` `mcpservers` `mcp server*` `.cursor/` `.codex/` `codex/config.toml` `.gemini/`
            `gemini/settings` `.vscode/settings` `.vscode/tasks` `agent settings` `agent's settings` `own settings`
            `permission settings` `settings.local.json` `settings.json` `hooks.json` `.claude/hooks` `pretooluse`
            `posttooluse` `sessionstart` `userpromptsubmit` `defaultmode` `allow list` `allowlist of the agent`
            `agent configuration` `agent config*` `.continue/` `opencode.json` `.aider*` `.qwen/` `.kimi/`
        "#,
    ),
    (
        Class::Chat,
        r#"
            `conversation` `conversations` `transcript*` `chat history` `chat log*` `session log*`
            `session transcript` `session history` `system prompt` `user's messages` `user messages` `last message`
            `last user message` `user's prompt*` `user's request*` `all prompts` `your instructions`
            `context window` `full context` `everything the user` `what the user said` `what the user typed`
            `message history` `gesprächsverlauf*` `gespräch` `chatverlauf` `conversación` `conversa` `conversazione`
            `historique de la conversation` `разговор*` `переписк*` `диалог*` `історію розмови` `rozmow*` `sohbet*`
            `konuşma*` `对话` `聊天记录` `会话` `会話` `やり取り` `チャット履歴` `대화` `percakapan` `cuộc trò chuyện`
            `prompts and answers`
        "#,
    ),
    (
        Class::Personal,
        r#"
            `mailbox` `contact list` `contacts` `address book` `clipboard` `pbpaste` `xclip -o` `wl-paste`
            `get-clipboard` `customer data` `customer table` `customer list` `customer records` `client data`
            `personal data` `patient*` `medical` `bank statement*` `account number*` `iban` `payroll` `salary`
            `salaries` `invoices` `screenshot*` `~/documents` `documents folder` `~/desktop` `location history`
            `phone number*` `e-mail addresses` `email addresses` `tax return*`
            `whatsapp` `imessage` `chat.db` `messages.db` `full rows` `all rows`
            `every row` `kundendaten` `kundenliste` `données clients` `datos de clientes` `datos de los clientes`
            `dados de clientes` `dados dos clientes` `dati dei clienti` `данные клиентов` `контакт*` `客户` `联系人` `顧客`
            `連絡先` `고객` `연락처` `kontakt*` `presse-papiers` `portapapeles` `буфер обмена` `剪贴板` `クリップボード` `클립보드`
            `full name*` `date of birth` `pg_dump` `mysqldump` `mongodump` `home().glob` `home().rglob`
            `find ~ -name` `find $home -name` `os.walk(os.path.expanduser`
        "#,
    ),
    (
        Class::Credential2Fa,
        r#"
            `one-time code*` `one time code*` `otp` `verification code*` `2fa code*` `two-factor code*`
            `recovery code*` `backup code*` `sms code*` `security code*` `card number*` `cvv` `cvc` `pin code*`
            `seed phrase*` `recovery phrase*` `your password` `their password` `user's password` `account password`
            `sudo password` `login password` `admin password` `master password` `signing secret*` `login code*`
            `einmalcode*` `code de vérification` `código de verificación` `código de verificação`
            `codice di verifica` `код подтверждения` `код из смс` `код з смс` `验证码` `認証コード` `確認コード` `인증번호` `인증 코드`
            `doğrulama kodu` `kod weryfikacyjny` `kode verifikasi` `mã xác` `remote access tool` `anydesk`
            `teamviewer` `rustdesk`
        "#,
    ),
];
