// Builds the macOS quick action "Upload and copy link": an Automator workflow that runs a shell script. The
// workflow's bundle consists of two property lists. The script starts the app by its bundle identifier, so
// the workflow still works after the app has been moved.
import { ARGUMENTS, MARK } from './menu-files.ts'

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

function xml(value: Value, indent = ''): string {
  const inner = `${indent}\t`
  if (typeof value === 'string')
    return `<string>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</string>`
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  const lines = Array.isArray(value)
    ? (value as readonly Value[]).map((item) => `${inner}${xml(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}<key>${key}</key>\n${inner}${xml(item, inner)}`)
  const tag = Array.isArray(value) ? 'array' : 'dict'
  return lines.length === 0 ? `<${tag}/>` : `<${tag}>\n${lines.join('\n')}\n${indent}</${tag}>`
}

function plist(value: Value): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
${xml(value)}
</plist>
`
}

/**
 * `-n` starts a second instance, which passes its arguments to the first one and exits. Without `-n`, a
 * running app gets no arguments.
 */
export const SCRIPT = `exec /usr/bin/open -n -b app.slipway.desktop --args ${ARGUMENTS.join(' ')} "$@"`

const FILES = 'com.apple.Automator.fileSystemObject'
const SHELL_SCRIPT = {
  AMAccepts: { Container: 'List', Optional: true, Types: ['com.apple.cocoa.string'] },
  AMActionVersion: '2.0.3',
  AMApplication: ['Automator'],
  AMProvides: { Container: 'List', Types: ['com.apple.cocoa.string'] },
  ActionBundlePath: '/System/Library/Automator/Run Shell Script.action',
  ActionName: 'Run Shell Script',
  // inputMethod 1 passes the files as the script's arguments.
  ActionParameters: {
    COMMAND_STRING: SCRIPT,
    CheckedForUserDefaultShell: true,
    inputMethod: 1,
    shell: '/bin/sh',
    source: '',
  },
  BundleIdentifier: 'com.apple.RunShellScript',
  CFBundleVersion: '2.0.3',
  'Class Name': 'RunShellScriptAction',
  InputUUID: '6C4E0C2A-8B0B-4E3C-9C0E-5A1D0F6B7E01',
  OutputUUID: '6C4E0C2A-8B0B-4E3C-9C0E-5A1D0F6B7E02',
  UUID: '6C4E0C2A-8B0B-4E3C-9C0E-5A1D0F6B7E03',
}

/**
 * Returns the bundle's files, keyed by path inside the bundle. `label` is the action's name in Finder's menu.
 */
export function workflow(
  label: string,
): Readonly<Record<'Contents/Info.plist' | 'Contents/document.wflow', string>> {
  const service = {
    NSBackgroundColorName: 'background',
    NSIconName: 'NSTouchBarShare',
    NSMenuItem: { default: label },
    NSMessage: 'runWorkflowAsService',
    NSRequiredContext: { NSApplicationIdentifier: 'com.apple.finder' },
    NSSendFileTypes: ['public.item'],
  }
  return {
    'Contents/Info.plist': plist({
      CFBundleIdentifier: 'app.slipway.desktop.menu',
      CFBundleName: label,
      [MARK]: true,
      NSServices: [service],
    }),
    'Contents/document.wflow': plist({
      AMApplicationVersion: '2.10',
      AMDocumentVersion: '2',
      actions: [{ action: SHELL_SCRIPT }],
      connectors: {},
      workflowMetaData: {
        inputTypeIdentifier: FILES,
        outputTypeIdentifier: 'com.apple.Automator.nothing',
        presentationMode: 15,
        processesInput: false,
        serviceApplicationBundleID: 'com.apple.finder',
        serviceInputTypeIdentifier: FILES,
        serviceOutputTypeIdentifier: 'com.apple.Automator.nothing',
        serviceProcessesInput: false,
        workflowTypeIdentifier: 'com.apple.Automator.servicesMenu',
      },
    }),
  }
}
