import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exceptions } from './exceptions.ts'
import { wordsIn } from './words-in.ts'

const help = `node test/words/dist/main.js

Fails when a comment, a string or a page contains a word of refused-words.ts outside the phrases of exceptions.ts.`

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
const root = join(import.meta.dirname, '../../..')

/** Files and folders whose comments, strings and prose are checked. */
const checked = ['packages', 'bench', 'test', 'README.md', '.github']
/** Not checked, because the list of refused words is here. */
const ownFolder = 'test/words/'

if (values.help) process.stdout.write(`${help}\n`)
else check()

function check(): void {
  const tracked = execFileSync('git', ['ls-files', '-z', '--', ...checked], { cwd: root, encoding: 'utf8' })
  const files = tracked
    .split('\0')
    .filter((file) => /\.(?:tsx?|js|mjs|cjs|md)$/u.test(file) && !file.startsWith(ownFolder))
  const complaints: string[] = []
  const used = new Set<(typeof exceptions)[number]>()

  for (const file of files) {
    const found = wordsIn(file, readFileSync(join(root, file), 'utf8'), exceptions)
    for (const exception of found.used) used.add(exception)
    for (const { line, text, instead } of found.refused) complaints.push(`${file}:${line} "${text}"; write ${instead}`)
  }

  for (const exception of exceptions.filter((each) => !used.has(each)))
    complaints.push(`test/words/exceptions.ts lists "${exception.phrase}" of ${exception.file}, which is not needed`)

  for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
  if (complaints.length > 0) {
    process.stderr.write('Rewrite the sentence, or list a good use in test/words/exceptions.ts with its reason.\n')
    process.exitCode = 1
  }
}
