import { render } from 'preact'
import '../style/all.css'
import '../parts/code/code.css'
import './playground.css'
import { Playground } from './playground.tsx'

const root = document.getElementById('app')
if (root) render(<Playground />, root)
