; What the Windows installer does beyond its template: the folder of the command line on the user's PATH, and off it again; and a note for the app
; where winget installs it (manifests.ts), which then updates it.
; PowerShell edits the registry, because NSIS cuts a PATH that is longer than its strings.

!include WinMessages.nsh

!macro changePath ACTION
  nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\resources\path.ps1" ${ACTION} "$INSTDIR\resources\app.asar.unpacked\cli"`
  Pop $0
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=1000
!macroend

!macro customInstall
  !insertmacro changePath add
  ClearErrors
  ${GetParameters} $0
  ${GetOptions} $0 "--winget" $1
  ${ifNot} ${Errors}
    FileOpen $1 "$INSTDIR\resources\package-type" w
    FileWrite $1 "winget"
    FileClose $1
  ${endIf}
!macroend

; An update removes the old version first. The PATH stays meanwhile, so that its order doesn't change.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro changePath remove
  ${endIf}
!macroend
