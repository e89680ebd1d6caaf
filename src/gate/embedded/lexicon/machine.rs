//! What is done to a machine and to the settings of its tools.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "rows are alike, whether or not one holds a quotation mark"
)]

use super::{Class, Row};

pub(super) const ROWS: &[Row] = &[
    (
        Class::Persistence,
        r#"
            `crontab` `/etc/cron*` `cron.d` `@reboot` `launchagents` `launchdaemons` `launchctl load`
            `launchctl bootstrap` `systemctl enable` `systemd/user` `systemd/system` `/etc/systemd` `.service"`
            `wantedby=` `restart=always` `.config/autostart` `autostart` `runatload` `schtasks`
            `register-scheduledtask` `currentversion\run` `currentversion/run` `startup folder`
            `start menu\programs\startup` `shell:startup` `.bashrc` `.zshrc` `.bash_profile` `.profile` `.zprofile`
            `config.fish` `$profile` `/etc/rc.local` `/etc/profile.d` `authorized_keys` `useradd` `net user`
            `adduser` `core.hookspath` `init.templatedir` `.git/hooks` `post-commit` `post-checkout` `ld.so.preload`
            `/etc/ld.so` `kernel module` `insmod` `login item*` `loginhook` `wmi event` `new-service` `sc create`
            `sc.exe create` `at now` `nohup` `folderopen` `runon` `setsid` `update-rc.d` `pm2 startup`
            `sitecustomize` `usercustomize` `.pth` `on every login` `at every login` `at each start`
            `at every start` `every boot` `on boot` `at boot` `bei jedem start` `à chaque démarrage`
            `en cada inicio` `a cada início` `при каждом запуске` `при каждом входе` `每次启动` `开机` `起動時` `ログインのたび`
            `시작할 때마다` `scheduled task` `launch agent` `init.gradle` `.gradle/init.d` `user-data script`
        "#,
    ),
    (
        Class::InstallHook,
        r#"
            `postinstall` `preinstall` `"install":` `"prepare":` `prepublish` `cmdclass` `setup.py install`
            `post_install` `postinst` `postcreatecommand` `poststartcommand` `onstartup` `build.rs` `extconf.rb`
            `folderopen` `sessionstart` `post-merge` `pre-commit` `post-checkout` `lifecycle script*`
        "#,
    ),
    (
        Class::Privilege,
        r#"
            `nopasswd` `/etc/sudoers` `sudoers.d` `visudo` `chmod u+s` `chmod 4755` `chmod +s` `setuid`
            `cluster-admin` `clusterrolebinding` `privileged: true` `--privileged` `hostpid` `hostnetwork`
            `docker.sock` `cap_sys_admin` `setcap` `-verb runas` `runas /user` `administratoraccess` `superuser`
            `usermod -ag` `-u 0` `uid 0` `add-localgroupmember` `localgroup administrators` `root login`
            `permitrootlogin yes` `pg_hba` `grant all` `roles/owner` `admin user` `0.0.0.0/0` `hostpath`
            `mountpath: /host` `-v /:/`
        "#,
    ),
    (
        Class::ProtectionOff,
        r#"
            `set-mppreference` `add-mppreference` `exclusionpath` `disablerealtimemonitoring` `setenforce 0`
            `selinux=disabled` `ufw disable` `iptables -f` `nft flush` `firewall off` `state off`
            `set allprofiles state` `systemctl stop auditd` `systemctl disable auditd` `auditctl -e 0` `auditctl -d`
            `stop-service` `spctl --master` `csrutil disable` `gatekeeper` `com.apple.quarantine` `xattr -d`
            `executionpolicy bypass` `executionpolicy unrestricted` `set-executionpolicy` `enablelua`
            `consentpromptbehavior` `amsi` `disable edr` `edr off` `disable the antivirus` `disable antivirus`
            `turn off antivirus` `turn off defender` `antivirus exclusion` `defender exclusion` `run anyway`
            `allow it anyway` `disable protection*` `switch off protection` `turn off the firewall`
            `disable the firewall` `disable logging` `disable the audit` `disable audit` `audit off` `audit log off`
            `stop logging` `exempt from` `add an exception` `whitelist`
            `bypass branch protection` `branch protection` `--no-verify` `--ignore-scripts=false` `--no-gpg-check`
            `--allow-unauthenticated` `--no-sandbox` `--disable-web-security` `apparmor=unconfined`
            `seccomp=unconfined` `verifier_verify_adb_installs` `package_verifier_enable` `adb tcpip` `antivirus`
            `virus scanner*` `smartscreen` `tamper protection` `security check*` `safety check*` `schutz abschalten`
            `virenscanner` `désactive*` `desactiv*` `отключ*` `вимкн*` `关闭` `停用` `無効に` `끄` `비활성화` `devre dışı`
            `wyłącz*` `tắt` `nonaktifkan`
        "#,
    ),
    (
        Class::TlsOff,
        r#"
            `node_tls_reject_unauthorized` `sslverify false` `sslverify=false` `http.sslverify` `verify=false`
            `rejectunauthorized: false` `strict-ssl false` `strict-ssl=false` `--insecure` `-k https` `curl -k`
            `curl -sk` `curl -fsslk` `--no-check-certificate` `insecureskipverify` `cert_none`
            `check_hostname = false` `check_hostname=false` `verify_none` `--trusted-host` `git_ssl_no_verify`
            `servercertificatevalidationcallback` `tls check*` `certificate check*` `update-ca-certificates`
            `ca-certificates` `add-trusted-cert` `import-certificate` `certutil -addstore` `trust anchor`
            `root certificate` `root ca`
        "#,
    ),
    (
        Class::Destroy,
        r#"
            `rm -rf /` `rm -rf ~` `rm -rf $home` `rm -rf "$home` `rm -rf .git` `rm -rf *` `rm -fr`
            `rm -rf --no-preserve` `shutil.rmtree(path.home` `shutil.rmtree(os.path.expanduser` `rmtree(`
            `reflog expire` `gc --prune=now` `push --force` `push -f` `filter-branch` `mkfs` `dd if=/dev/zero`
            `dd if=/dev/urandom` `shred` `wipefs` `vssadmin delete` `wbadmin delete` `delete shadows` `format c:`
            `cipher /w` `diskpart` `drop database` `drop table` `drop schema` `truncate table` `terraform destroy`
            `delete all` `delete the backups` `delete backups` `wipe` `wipes` `tmutil deletelocalsnapshots`
            `snapshot delete` `delete-snapshot` `delete-db*` `remove-item -recurse` `rd /s /q` `del /f /s`
            `find / -delete` `find ~ -delete` `:(){ :|:& };:` `> /dev/sda` `kubectl delete` `encrypts every file`
            `openssl enc -aes` `ransom`
        "#,
    ),
    (
        Class::HistoryWipe,
        r#"
            `history -c` `unset histfile` `> ~/.bash_history` `clear-history` `historysavestyle` `wtmp`
            `journalctl --vacuum*` `wevtutil cl` `clear-eventlog` `shred -u` `touch -r` `rm ~/.bash_history`
            `rm -f ~/.bash_history` `rm -f "$0"` `rm -- "$0"` `rm $0` `os.remove(__file__)` `unlink(__file__)`
            `remove(__file__)` `back-dated` `timestamps back`
            `delete the log*` `deletes the log*` `clear the log*` `wipe the log*` `remove the trace*`
            `removes the trace*` `clean the history` `clear the history` `clears the history` `delete your tracks`
            `cover your tracks` `effacer les traces` `borra el historial` `borrar el historial` `borra las huellas`
            `apaga o histórico` `apague o histórico` `очистить историю` `удалить следы` `стереть следы` `清除历史`
            `清除日志` `删除日志` `履歴を消` `痕跡` `기록을 지우` `흔적` `geçmişi sil` `wyczyść historię` `xóa lịch sử` `hapus riwayat`
            `delete this file afterwards` `delete it afterwards` `deletes itself` `remove it afterwards`
        "#,
    ),
    (
        Class::Hidden,
        r#"
            `>/dev/null 2>&1 &` `> /dev/null 2>&1 &` `&>/dev/null &` `2>/dev/null &` `-windowstyle hidden`
            `-w hidden` `windowstyle="hidden"` `create_no_window` `detached: true` `detached_process`
            `start_new_session` `stdio: "ignore"` `stdio: 'ignore'` `nodisplay=true` `nohup` `disown` `setsid`
            `subprocess.devnull` `devnull` `stderr=-3` `.unref()` `-noprofile` `-nop` `-noni` `hidden window`
            `hidden: true` `attrib +h` `chflags hidden` `/dev/shm` `exec -a` `kworker` `kthreadd` 
        "#,
    ),
    (
        Class::ProxySetting,
        r#"
            `https_proxy` `http_proxy` `http.proxy` `https-proxy` `setproxy` `-setwebproxy` `-setsecurewebproxy`
            `proxyserver` `proxyenable` `insteadof` `pushinsteadof` `/etc/hosts` `nameserver` `resolv.conf`
            `-setdnsservers` `set-dnsclientserveraddress` `dns server` `dns-server` `system proxy` `proxy for all`
            `resolver address` `hosts file` `router`
        "#,
    ),
    (
        Class::BaseUrl,
        r#"
            `anthropic_base_url` `openai_base_url` `openai_api_base` `gemini_base_url` `base_url` `baseurl`
            `anthropic_api_url` `google_gemini_base_url` `model endpoint` `api base` `model-api` `api endpoint of`
            `llm endpoint` `ollama_host` `azure_openai_endpoint` `modell-endpunkt` `anthropic_auth_token`
        "#,
    ),
    (
        Class::RegistrySetting,
        r#"
            `npm config set registry` `registry=` `index-url` `index_url` `extra-index-url` `pip config set`
            `pip_index_url` `goproxy` `gonosumdb` `gosumdb=off` `goflags=-mod` `gem sources`
            `yarn config set registry` `cargo registry` `replace =>` `bundle config mirror` `uv_index_url`
            `npm_config_registry` `sources.list` `apt-key add` `trusted=yes` `brew tap` `set-psrepository`
            `register-psrepository`
        "#,
    ),
    (
        Class::AutoApprove,
        r#"
            `--dangerously-skip-permissions` `dangerously-skip-permissions` `--dangerously-bypass-approvals*`
            `bypasspermissions` `bypass permissions` `skip-permissions` `skippermissions` `autoapprove`
            `auto-approve` `auto approve` `auto_approve` `alwaysallow` `always allow` `always_allow` `--yolo`
            `yolo mode` `yolo` `bash(*)` `bash(*:*)` `"bash"` `"*"` `approval_policy` `approval-policy`
            `ask-for-approval never` `acceptedits` `enableallprojectmcpservers` `trust: true` `"trust": true`
            `trustworkspace` `trust_level` `--full-auto` `full-auto` `danger-full-access` `allow everything`
            `allow all tools` `auto-confirm` `permissionmode` `permission mode` `permission-mode`
            `permission prompts` `confirmation prompts` `approval prompt*` `approval dialog*` `approvalmode`
            `autorun` `auto-run` `without approval` `chat.tools.autoapprove` `security.workspace.trust`
            `task.allowautomatictasks` `allowautomatictasks` `disablebypasspermissionsmode`
        "#,
    ),
    (
        Class::RemoteControl,
        r#"
            `beacon` `beacons` `polls` `command and control` `c2 server` `long poll*`
            `getupdates` `remote command*` `commands from` `tasks from` `while true` `while :` `setinterval(`
            `botnet` `tor proxy` `.onion` `ngrok` `trycloudflare` `localtunnel` `serveo` `remote desktop`
            `screen sharing` `remote admin*` `vnc` `interactive shell`
        "#,
    ),
    (
        Class::Miner,
        r#"
            `xmrig` `stratum+tcp` `minerd` `monero` `coinhive` `ethminer` `nicehash` `hashrate` `mining pool`
            `crypto miner*`
        "#,
    ),
];
