// The dialogs that can be opened from several places in the window: watching a folder, the proxy, and the custom format of copied links.
// They share rows with the settings view and, like that view, are loaded on demand (components/on-demand.tsx).
import type { ReactNode } from 'react'
import { ProxyDialog } from './proxy-dialog.tsx'
import { TemplateDialog } from './template-dialog.tsx'
import { WatchFolder } from './watch-folder.tsx'

export function Dialogs(): ReactNode {
  return (
    <>
      <WatchFolder />
      <ProxyDialog />
      <TemplateDialog />
    </>
  )
}
