// The entry point of the page. It loads fonts, style sheets and texts, starts the store, begins to track
// which fields the user types in (page-release.ts), and renders the component tree.
import '@fontsource-variable/inter/opsz.css'
import '@fontsource-variable/jetbrains-mono'
import './styles/tokens.css'
import './styles/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { onDemand } from './components/on-demand.tsx'
import { IS_SHELF } from './lib/page.ts'
import { start } from './state/events.ts'
import { watchTyping } from './state/page-release.ts'
import { loadLikelyTexts } from './state/texts.ts'

const Shelf = onDemand(async () => (await import('./app/shelf.tsx')).Shelf)

loadLikelyTexts()
start()
watchTyping()
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(IS_SHELF ? <Shelf /> : <App />)
