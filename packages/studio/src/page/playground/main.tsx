import { render } from 'preact'
import '../style/tokens.css'
import '../style/ground.css'
import '../style/buttons.css'
import '../style/fields.css'
import '../style/badges.css'
import '../style/notices.css'
import '../parts/code/code.css'
import './playground.css'
import { Playground } from './playground.tsx'

const root = document.getElementById('app')
if (root) render(<Playground />, root)
