import { render } from 'preact'
import './style/base.css'
import './style/parts.css'
import { App } from './app.tsx'
import { followLinks } from './shell/router.ts'

const root = document.getElementById('app')
if (root) {
  followLinks(root)
  render(<App />, root)
}
