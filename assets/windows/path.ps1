# Adds a folder to the user's PATH, or removes it. The registry is read and written without expanding variables, so that entries such as
# %USERPROFILE%\bin stay as they are; the installer announces the change.
param([Parameter(Mandatory)][ValidateSet('add', 'remove')][string]$Action, [Parameter(Mandatory)][string]$Folder)

$ErrorActionPreference = 'Stop'
$key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')
$before = [string]$key.GetValue('Path', '', [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
$entries = @($before.Split(';') | Where-Object { $_ -ne '' -and $_.TrimEnd('\') -ne $Folder.TrimEnd('\') })
if ($Action -eq 'add') { $entries += $Folder }
$after = $entries -join ';'
if ($after -ne $before) { $key.SetValue('Path', $after, [Microsoft.Win32.RegistryValueKind]::ExpandString) }
$key.Close()
