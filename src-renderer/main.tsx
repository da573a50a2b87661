// The window's first lines: fonts, styles, the store, the tree.
// Nothing is decided here.
import '@fontsource-variable/inter/opsz.css'
import '@fontsource-variable/jetbrains-mono'
import './styles/tokens.css'
import './styles/base.css'
import { createRoot } from 'react-dom/client'
import { config } from 'zod'
import { App } from './app/app.tsx'
import { start } from './app/store.ts'

// The policy of the page forbids code made from text, which zod would try for speed.
config({ jitless: true })
start()
const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
