// Runs in Node, Deno and Bun alike. Reads a question as JSON from a file and prints the answer. Arguments: the file, and
// optionally the file of the engine.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { answer } from './answer.mjs'

const [, , questionFile, engineFile] = process.argv
const engine = engineFile && Uint8Array.from(readFileSync(engineFile))
const answered = await answer(JSON.parse(readFileSync(questionFile, 'utf8')), engine ? { engine } : {})
process.stdout.write(JSON.stringify(answered))
