; What the Windows installer does beyond its template: it adds the folder of the command line to the user's PATH and "Upload and copy link"
; to Explorer's menu of files and folders, and removes both on uninstallation. If winget runs it (manifests.ts), it leaves a note, so that
; the app doesn't update itself. PowerShell edits PATH, because NSIS truncates a PATH that is longer than its strings.
; The copy of the installer that the template leaves for electron-updater is deleted: Slipway updates itself without it.

!include WinMessages.nsh

; The script's text is run as a command, because a Group Policy can forbid script files whatever -ExecutionPolicy says. The paths go through
; the environment, where no character in them needs to be quoted.
!macro changePath ACTION
  System::Call 'kernel32::SetEnvironmentVariable(t "SLIPWAY_PATH_SCRIPT", t "$INSTDIR\resources\path.ps1")'
  System::Call 'kernel32::SetEnvironmentVariable(t "SLIPWAY_PATH_FOLDER", t "$INSTDIR\resources\app.asar.unpacked\cli")'
  nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -Command "& ([ScriptBlock]::Create([IO.File]::ReadAllText($$env:SLIPWAY_PATH_SCRIPT))) ${ACTION} $$env:SLIPWAY_PATH_FOLDER"`
  Pop $0
  ${if} $0 == 0
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=1000
  ${elseIf} $LANGUAGE == 1031
    MessageBox MB_OK|MB_ICONEXCLAMATION "Der Eintrag im PATH ist fehlgeschlagen ($0). Die Befehlszeile von Slipway ist in diesem Ordner:$\r$\n$INSTDIR\resources\app.asar.unpacked\cli" /SD IDOK
  ${else}
    MessageBox MB_OK|MB_ICONEXCLAMATION "Your PATH couldn't be changed ($0). Slipway's command line is in this folder:$\r$\n$INSTDIR\resources\app.asar.unpacked\cli" /SD IDOK
  ${endIf}
!macroend

!macro deleteInstallerCopy
  Delete "$LOCALAPPDATA\${APP_INSTALLER_STORE_FILE}"
  ${GetParent} "$LOCALAPPDATA\${APP_INSTALLER_STORE_FILE}" $0
  RMDir "$0"
!macroend

; Writes the same entries as src-main/shell/file-manager/explorer.ts, which Settings > Links uses to add and remove them.
!macro addToExplorer KIND
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink" "MUIVerb" "$1"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink" "Icon" "$appExe"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink\command" "" '"$appExe" --copy-link -- "%1"'
!macroend

!macro customInstall
  !insertmacro deleteInstallerCopy
  !insertmacro changePath add
  ; An update leaves the menu as it is, because it may have been removed in the settings.
  ${ifNot} ${isUpdated}
    StrCpy $1 "Upload and copy link"
    ${if} $LANGUAGE == 1031
      StrCpy $1 "Hochladen und Link kopieren"
    ${endIf}
    !insertmacro addToExplorer "*"
    !insertmacro addToExplorer "Directory"
  ${endIf}
  ClearErrors
  ${GetParameters} $0
  ${GetOptions} $0 "--winget" $1
  ${ifNot} ${Errors}
    FileOpen $1 "$INSTDIR\resources\package-type" w
    FileWrite $1 "winget"
    FileClose $1
  ${endIf}
!macroend

; An update uninstalls the old version first. It keeps the entry in PATH, so that the order doesn't change, and the one in the menu.
!macro customUnInstall
  !insertmacro deleteInstallerCopy
  ${ifNot} ${isUpdated}
    !insertmacro changePath remove
    DeleteRegKey HKCU "Software\Classes\*\shell\Slipway.UploadAndCopyLink"
    DeleteRegKey HKCU "Software\Classes\Directory\shell\Slipway.UploadAndCopyLink"
  ${endIf}
!macroend
