//! What code does: fetching, sending, decoding, running.
#![allow(
    clippy::needless_raw_string_hashes,
    reason = "rows are alike, whether or not one holds a quotation mark"
)]

use super::{Class, Row};

pub(super) const ROWS: &[Row] = &[
    (
        Class::Fetch,
        r#"
            `curl` `curl.exe` `wget` `invoke-webrequest` `iwr` `irm` `invoke-restmethod` `downloadstring`
            `downloadfile` `downloaddata` `urlopen` `urlretrieve` `requests.get` `requests.request`
            `requests.session` `httpx.get` `httpx.client` `aiohttp` `fetch(` `axios.get` `axios(` `got(` `http.get(`
            `https.get(` `net::http` `open-uri` `uri.open` `uri.parse` `bitsadmin` `certutil` `start-bitstransfer`
            `git clone` `git pull` `git lfs pull` `urlsession` `httpclient` `reqwest::get` `reqwest::blocking`
            `lwp::` `aria2c` `http.client` `webclient` `file_get_contents(` `readtext(` `url(` `gh gist view`
            `gist view` `gh api` `dig +short` `nslookup` `docker pull` `docker run` `scp` `rsync` `huggingface_hub`
            `from_pretrained(` `trust_remote_code` `importlib.util` `npx https` `pip install https`
            `pip install git+` `npm install https` `npm i https` `go install` `cargo install --git` `xmlhttprequest`
            `download(` `openstream(` `get(url` `http.request(` `https.request(` `urllib3` `pycurl` `ftp` `tftp`
            `httpie` `http get` `lynx -source` `ncat` `socket.recv` `recv(` `/dev/tcp/`
        "#,
    ),
    (
        Class::Upload,
        r#"
            `requests.post` `requests.put` `httpx.post` `httpx.put` `axios.post` `axios.put` `session.post`
            `client.post` `s.post(` `.post(` `method: "post"` `method: 'post'` `method:"post"` `method:'post'`
            `method="post"` `method='post'` `method: "put"` `method: 'put'` `-x post` `-xpost` `-x put` `-xput`
            `--request post` `--request put` `--data-binary` `--data-urlencode` `--data-raw` `--data ` `--data=`
            `--json` `--form` `--upload-file` `--post-data` `--post-file` `--body-data` `--body-file` `-method post`
            `-method 'post'` `-method "post"` `-method put` `uploadstring` `uploadfile` `uploaddata` `http.post(`
            `net::http.post` `post_form` `net::http::post` `sendbeacon` `sock.send` `.sendall(` `.sendto(`
            `socket.write` `s3 cp` `s3 sync` `s3 mv` `upload_file(` `upload_fileobj(` `put_object(` `rclone copy`
            `rclone sync` `gsutil cp` `azcopy` `storage blob upload` `sftp` `curl_setopt` `multipartentitybuilder`
            `http.newrequest("post"` `new request(` `urllib.request.request(` `ws.send(` `websocket`
            `http_request_post` `-infile` `posttojson` `postasync(` `http.send(` `formdata(` `paste.ee`
            `transfer.sh` `files={` `files =` `json=` `data=` `json.dumps(` `.encode()` `urlencode(`
            `json.stringify(` `-body`
        "#,
    ),
    (
        Class::DnsLookup,
        r#"
            `nslookup` `dig` `gethostbyname` `getaddrinfo` `dns.resolve` `dns.lookup` `resolve-dnsname`
            `dns.resolver` `resolver.query` `resolver.resolve` `host -t` `net.lookuphost` `net.lookuptxt` `resolv.`
            `dns query` `dns queries` `dns label*` `dns look*` `dns-abfrage*` `dns txt` `requête dns`
        "#,
    ),
    (
        Class::GitRemote,
        r#"
            `git push` `git remote add` `git remote set-url` `push --mirror` `push --all` `refs/notes` `git-push`
            `repo.create` `gh repo create` `create_repository` `push -q` `push --quiet` `push "$` `push origin`
            `push $`
        "#,
    ),
    (
        Class::Mailer,
        r#"
            `sendmail` `smtplib` `mailx` `mail -s` `nodemailer` `sendgrid` `send-mailmessage` `smtp.send` `mutt -a`
            `sendemail` `send_email` `send_message(` `hooks.slack.com` `discord.com/api/webhooks`
            `discordapp.com/api/webhooks` `api.telegram.org/bot` `telegram bot` `webhook`
        "#,
    ),
    (
        Class::Evaluate,
        r#"
            `| sh` `|sh` `| bash` `|bash` `| zsh` `| sudo bash` `| sudo sh` `| sudo -e bash` `bash -c` `sh -c`
            `bash -s` `zsh -c` `cmd /c` `cmd.exe /c` `powershell -c` `powershell -command` `pwsh -c` `eval` `eval(`
            `, eval)(` `exec(` `execsync(` `execfile(` `iex` `invoke-expression` `os.system(` `os.popen(`
            `new function` `vm.runin*` `runinthiscontext` `runinnewcontext` `__import__(` `import(` `exec_module(`
            `source <(` `bash <(` `sh <(` `. <(` `instance_eval` `class_eval` `kernel.system` `shell=true`
            `shell_exec(` `passthru(` `msiexec` `runpy.` `xargs sh` `xargs bash` `xargs -i sh` `| python`
            `| python3` `|python3` `|python` `| node` `|node` `| perl` `| ruby` `| pwsh` `| iex` `|iex` `dofile(`
            `loadstring(` `do shell script` `__builtins__` `getattr(__import__` `getattr(os` `].join("")](`
            `].join('')](` `os.execvp(` `os.execv*` `&& . "$` `; . "$` `&& . $` `; . $` `; source ` `&& source `
            `shell_plus` `cp.exec(` `child_process.exec(` `c.exec(` `.execsync(`
        "#,
    ),
    (
        Class::Execute,
        r#"
            `os.exec*` `os.spawn*` `subprocess.*` `child_process` `spawn(` `spawnsync(` `execfilesync(` `popen(`
            `check_output(` `check_call(` `importlib.import*` `start-process` `system(` `exec.command(`
            `runtime.getruntime().exec` `processbuilder` `proc_open(` `rundll32` `regsvr32` `mshta` `wscript`
            `cscript` `dlopen(` `ctypes.cdll` `load_library` `&& ./` `; ./` `java -jar` `node -e` `python -c`
            `python3 -c` `perl -e` `ruby -e` `source /tmp` `process.start` `osascript` `exec -a` `dpkg -i`
            `installer -pkg` `apk install` `adb install` `fexecve` `memfd_create` `execve(` `wasmtime` `new wasi`
            `ld_preload` `shellexecute`
        "#,
    ),
    (
        Class::PipeToShell,
        r#"
            `| sh` `|sh` `| bash` `|bash` `| zsh` `| sudo bash` `| sudo sh` `| sudo -e bash` `source <(` `bash <(`
            `sh <(` `. <(` `| iex` `|iex` `| python` `| python3` `|python3` `|python` `| node` `|node` `| perl`
            `| ruby` `| pwsh` `eval "$(` `eval $(` `bash -c "$(` `sh -c "$(` `iex (` `iex(` `iex "`
            `invoke-expression (` `xargs sh` `xargs bash` `| xargs -i sh` `| source /dev/stdin` `| at now`
            `| crontab` `|crontab`
        "#,
    ),
    (
        Class::Decode,
        r#"
            `base64 -d` `base64 --decode` `base64 -di` `b64decode` `b32decode` `b85decode` `a85decode` `b16decode`
            `atob(` `'base64')` `$'\0*` `base32 -d` `base32 --decode` `[i] for i in` `(c ^` `{ c ^`
            `gunzip |` `gunzip|` `frombase32` `base64.decode` `decode("hex")` `bytes.fromhex` `.tochars`
            `tostring(char` `number(modpow`
            `"base64")` `frombase64string` `decodestring(` `decode64` `urlsafe_decode64`
            `unhexlify` `fromhex` `'hex')` `"hex")` `hex.decodestring` `codecs.decode` `xxd -r` `xxd -p -r` `rot13`
            `rot_13` `fromcharcode` `fromcodepoint` `chr(` `[char]` `string.fromcharcode` `zlib.decompress`
            `gzip.decompress` `gunzip -c` `gzip -d` `inflate` `gzipstream` `marshal.loads` `pickle.loads`
            `-encodedcommand` `-enc` `-ec` `openssl enc -d` `openssl base64 -d` `unescape(` `decodeuricomponent`
            `urllib.parse.unquote` `unquote(` `printf '\x*` `printf "\x*` `echo -e '\x*` `$'\x*` `$'\1*` `[::-1]`
            `.reverse().join` `.reverse` `| rev` `|rev` `unpack(` `pack('h` `pack("h` `pack("c` `pack('c` `pack("u`
            `^ key` `^ 0x*` `^ k` `xor` `decrypt(` `aes.new` `fernet(` `gpg -d` `tr 'a-za-z'` `tr 'a-z'`
            `codepointat` `0xe0000*` `& 0x7f` `&0x7f` `base58` `decodebytes` `getpixel` `lsb` `low bits` `zero-width`
            `zero width` `tobytes` `to_bytes(` `b64_decode` `base64_decode` `str_rot13` `hex2bin`
            `unicodedata.normalize` `int(bits` `[i:i+8]` `[i:i + 8]` `{8}/g` `\u200b*` `\u200c*` 
            `encoding.utf8.getstring` `map(chr` `int.to_bytes` `unxor`
        "#,
    ),
    (
        Class::ModPow,
        r#"
            `modpow` `powmod` `bmodpow` `mod_pow` `mod exp` `modexp` `big.int` `pow(c` `pow(x` `pow(m` `pow(int`
            `pow(n` `pow(b` `pow(v` `pow(k` `pow(a` `pow(i` `.exp(` `** d %` `**d%` `** d) %` `**d)%` `mod n`
            `bigint` `modular exponentiation` `square-and-multiply` `square and multiply` `pow_mod` `openssl::bn`
            `modular power`
        "#,
    ),
    (
        Class::MakeExecutable,
        r#"
            `chmod +x` `chmod 755` `chmod u+x` `chmod a+x` `chmod 700` `chmod 777` `chmodsync(` `0o755` `0o700`
            `os.chmod(` `xattr -d` `xattr -c` `unblock-file`
        "#,
    ),
    (
        Class::ReverseShell,
        r#"
            `/dev/tcp/` `bash -i >&` `bash -i` `nc -e` `nc -l` `ncat -e` `-e /bin/sh` `-e /bin/bash` `mkfifo /tmp`
            `socat tcp` `socat exec` `pty.spawn` `os.dup2(` `reverse shell` `bind shell` `sh -i` `cmd.exe 0`
            `| /bin/bash` `|/bin/bash` `| /bin/sh` `ssh -r` `ssh -nr` `-r 0.0.0.0` `web shell` `webshell`
        "#,
    ),
    (
        Class::Interpreter,
        r#"
            `bash` `sh` `python` `python3` `node` `ruby` `perl` `pwsh` `powershell` `php` `deno` `bun` `zsh` `npx`
            `uvx` `make` `./` `sudo`
        "#,
    ),
    (
        Class::Write,
        r#"
            `write_text` `write_bytes` `writefile` `writefilesync` `appendfile*` `copyfile*` `> /` `> ~` `> "$`
            `> $` `>> ` `tee ` `-o ` `--output` `-outfile` `out-file` `set-content` `add-content` `open(` `'w')`
            `"w")` `'wb')` `"wb")` `'a')` `"a")` `cp ` `mv ` `install -m` `shutil.copy*` `file.write` `json.dump(`
            `fs.write` `ioutil.writefile` `os.writefile` `file.open` `sed -i` `symlink*` `ln -s` `jq ` `cat >`
            `cat <<`
        "#,
    ),
    (
        Class::AppendTo,
        r#"
            `>> ` `>>~` `>>$` `>>"` `tee -a` `appendfile*` `add-content` `'a')` `"a")` `mode='a'` `lineinfile`
        "#,
    ),
    (
        Class::FileRead,
        r#"
            `.read()` `read_text(` `read_bytes(` `readfile(` `readfilesync(` `file.read(` `file.readlines`
            `ioutil.readfile` `os.readfile` `get-content` `fs::read` `csv.reader` `csv.dictreader` `json.load(`
            `sys.stdin` `$(cat` `<"$` `< "$` `@$` `@"$` `=@` `--data-binary @` `-d @` `files.readallbytes`
            `readalltext` `file_get_contents(` `slurp` `io.read`
        "#,
    ),
    (
        Class::Auth,
        r#"
            `authorization` `bearer` `x-api-key` `api_key` `apikey` `api-key` `access_token` `auth=` `-u "$` `-u $`
            `private-token` `x-auth-token` `client_secret` `oauth`
        "#,
    ),
    (
        Class::PackageTool,
        r#"
            `npx` `npm install` `npm i` `pip install` `pip3 install` `uv pip install` `uvx` `pipx install`
            `go install` `gem install` `cargo install` `yarn add` `pnpm add` `bun add` `brew install`
            `go mod edit -replace` `composer require` `dotnet add package`
        "#,
    ),
];
