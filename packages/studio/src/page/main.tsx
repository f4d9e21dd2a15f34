import { render } from 'preact'
import './style/fonts.css'
import './style/all.css'
import './style/print.css'
import { App } from './app.tsx'
import { followLinks, path } from './shell/router.ts'
import { viewOf } from './shell/views.tsx'

const root = document.getElementById('app')
if (root) {
  followLinks(root)
  // While the page finds out who is signed in, the code of the view comes.
  viewOf(path.value)?.component.preload()
  render(<App />, root)
}
