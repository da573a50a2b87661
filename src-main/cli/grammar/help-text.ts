// Contains the help texts that don't belong to a single option, such as examples, environment variables and
// exit codes. The declarations of commands and options contain their own descriptions.

export const COMPLETION_HELP = `
  bash         slipway completion bash > ~/.local/share/bash-completion/completions/slipway
  zsh          slipway completion zsh > "\${fpath[1]}/_slipway"
  fish         slipway completion fish > ~/.config/fish/completions/slipway.fish
  powershell   slipway completion powershell | Out-String | Invoke-Expression`

export const ENVIRONMENT = `
Environment:
  SLIPWAY_BASE_URL   address of the service, with or without /api/v1
  SLIPWAY_API_KEY    API key for this process only; otherwise the keychain's
  SLIPWAY_DATA_DIR   data folder (journal, settings, log)
  SLIPWAY_DEBUG      what to log in detail: aggregator, scanner, scheduler, settle, or all
  NO_COLOR           no colours, like --no-color`

export const CODES = `
Exit codes:
  0 all done    1 internal error    2 wrong usage    3 key missing or invalid, or the plan has no API
  4 some files failed, are held, or were named but have no link    5 something still waits for a limit
  6 no connection, or no usable answer from the service    7 not found
  130 interrupted (state is safe; the next run continues)`

export const EXAMPLES = `
Examples:
  slipway login --base-url https://files.example.com    ask for the key, check it, store it
  slipway upload report.pdf photos/                     print one link per line
  slipway watch ~/Public                                upload everything, now and as it changes
  date | slipway upload - --name today.txt              upload standard input
  slipway link report.pdf --format markdown             the link, ready to paste`
