// All German texts of the window: shared texts at the top level, those of a view under its name. The page
// loads only the language that it shows, so this file imports no texts in another language.
import { common } from './common.ts'
import { files } from './files.ts'
import { settings } from './settings.ts'
import { transfers } from './transfers.ts'
import { usage } from './usage.ts'
import { welcome } from './welcome.ts'

export const de = {
  ...common,
  filesView: files,
  transfersView: transfers,
  usageView: usage,
  settingsView: settings,
  welcomeView: welcome,
}
