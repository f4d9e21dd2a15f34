import './terminal/terminal-colours.ts'
import { runSluice } from './run-sluice.ts'

await runSluice(process.argv.slice(2))
