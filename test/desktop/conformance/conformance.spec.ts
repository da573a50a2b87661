// All facts in one file and one after the other, so that they share one app.
import './app.ts'
import './bridge.ts'
import './main-process.ts'
import './messages.ts'
import './page.ts'
import './window.ts'
import { fact } from './fact.ts'

fact.describe.configure({ mode: 'default' })
