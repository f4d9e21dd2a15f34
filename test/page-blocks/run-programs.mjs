/**
 * Imports programs one after the other in one process, each in its folder, and sends what each has printed. Starting a
 * process and loading the packages takes longer than most of them run.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatWithOptions } from 'node:util'

let printed = ''
const print = (...values) => {
  printed += `${formatWithOptions({ colors: false }, ...values)}\n`
}
// Warnings are not what pages show: a pipeline without a logger warns of destinations that fail.
Object.assign(console, { log: print, info: print, error: print })

process.once('message', async (folders) => {
  for (const folder of folders) {
    printed = ''
    process.chdir(folder)
    let problem
    try {
      await import(pathToFileURL(join(folder, 'main.js')).href)
    } catch (error) {
      problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    process.send({ folder, printed, problem })
  }
  // A program that leaves something running keeps this process from ending.
  process.disconnect()
})
