import { render } from 'preact'
import '../style/base.css'
import '../style/parts.css'
import './playground.css'
import { Playground } from './playground.tsx'

const root = document.getElementById('app')
if (root) render(<Playground />, root)
