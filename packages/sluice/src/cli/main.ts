import './terminal/terminal-colours.ts'
import { runSluice } from './run-sluice.ts'
import { endWithoutReader } from './terminal/end-without-reader.ts'

endWithoutReader()
await runSluice(process.argv.slice(2))
