; What the Windows installer does beyond its template: it adds the folder of the command line to the user's PATH and "Upload and copy link"
; to Explorer's menu of files and folders, and removes both on uninstallation. If winget runs it (manifests.ts), it leaves a note, so that
; the app doesn't update itself. PowerShell edits PATH, because NSIS truncates a PATH that is longer than its strings.

!include WinMessages.nsh

!macro changePath ACTION
  nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\path.ps1" ${ACTION} "$INSTDIR\resources\app.asar.unpacked\cli"`
  Pop $0
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=1000
!macroend

; Writes the same entries as src-main/shell/file-manager/explorer.ts, which Settings > Links uses to add and remove them.
!macro addToExplorer KIND
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink" "MUIVerb" "$1"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink" "Icon" "$appExe"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\Slipway.UploadAndCopyLink\command" "" '"$appExe" --copy-link -- "%1"'
!macroend

!macro customInstall
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
  ${ifNot} ${isUpdated}
    !insertmacro changePath remove
    DeleteRegKey HKCU "Software\Classes\*\shell\Slipway.UploadAndCopyLink"
    DeleteRegKey HKCU "Software\Classes\Directory\shell\Slipway.UploadAndCopyLink"
  ${endIf}
!macroend
