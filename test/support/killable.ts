import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

/** A Node process that tells what it has come to, line by line as JSON: `[word, value]`. */
export interface Killable {
  /** Resolves with what it tells with a word; rejects when it ends before. */
  told(word: string): Promise<unknown>
  /** Sends SIGKILL, which the process cannot see coming. */
  kill(): void
  /** Ends its standard input, and so asks it to stop. */
  stop(): void
  /** Resolves with what it wrote to standard error. */
  readonly ended: Promise<string>
}

/** Put before a program: `tell`, and `asked`, which resolves when it is to stop; also when whoever started it is dead. */
const prologue = `
const tell = (word, value = null) => console.log(JSON.stringify([word, value]))
const asked = new Promise((resolve) => process.stdin.on('end', resolve).resume())
`

/** Runs the text of a module in a process of its own; it sees the build. */
export function startKillable(program: string, args: readonly string[]): Killable {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '-e', prologue + program, '--', ...args],
    { cwd: resolve(import.meta.dirname, '..'), stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const told = new Map<string, unknown>()
  const watchers = new Set<() => void>()
  let rest = ''
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [word, value] = JSON.parse(line) as [string, unknown]
      told.set(word, value)
    }
    for (const watch of watchers) watch()
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<string>((done) => child.on('close', () => done(errors)))
  return {
    ended,
    told: (word) =>
      new Promise((found, missed) => {
        const watch = (): void => {
          if (!told.has(word)) return
          watchers.delete(watch)
          found(told.get(word))
        }
        watchers.add(watch)
        watch()
        void ended.then(() => missed(new Error(`it ended before it told '${word}': ${errors}`)))
      }),
    kill: () => child.kill('SIGKILL'),
    stop: () => child.stdin?.end(),
  }
}
