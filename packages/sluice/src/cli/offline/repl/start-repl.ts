import { createInterface } from 'node:readline'
import { isJsonObject, type JsonObject } from '@sluice/core'
import { createOfflineRunner, findSubject, ProjectError } from '@sluice/testing'
import pc from 'picocolors'
import { CliError } from '../../cli-error.ts'
import type { DestinationFlags } from '../../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { readNdjson } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { offlineDestination } from '../offline-destination.ts'
import { ReplSession, replHelp } from './repl-session.ts'
import { watchSubject } from './watch-subject.ts'

export interface ReplFlags extends SandboxFlags, DestinationFlags {
  readonly events?: string
}

/** Maximum number of events to load. */
const eventsMax = 100_000

/** Runs `sluice repl` until the input ends. */
export async function startRepl(code: string, flags: ReplFlags): Promise<void> {
  const load = () => findSubject(code)
  const { file, name } = await load().catch((error: unknown) => {
    throw error instanceof ProjectError ? new CliError(error.message) : error
  })
  const { events, leftOut } = flags.events === undefined ? { events: [], leftOut: 0 } : await eventsOf(flags.events)
  const destination = await offlineDestination(flags)
  const runner = await createOfflineRunner(await sandboxOptionsOf(flags))
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: `${name}> `,
    historySize: 1_000,
  })
  const session = new ReplSession({ runner, load, events, write: printLine, destination })
  const isTerminal = process.stdin.isTTY === true
  const ask = (): void => {
    if (!isTerminal) return
    terminal.setPrompt(session.isOpen ? '... ' : `${name}> `)
    terminal.prompt()
  }
  const watching = isTerminal ? watchSubject(load, rerun, printLine) : undefined
  let busy: Promise<unknown> = Promise.resolve()

  function rerun(): void {
    busy = busy.then(async () => {
      printLine(pc.dim(`\n${name} changed`))
      if (session.hasRun) await session.again()
      ask()
    })
  }

  terminal.on('SIGINT', () => {
    if (!session.isOpen) return terminal.close()
    session.forget()
    printLine('')
    ask()
  })
  const note = leftOut === 0 ? '' : ` (${leftOut} lines are not JSON objects and have no number)`
  if (isTerminal) printLine(`${file}\n${events.length} events to choose from${note}\n${replHelp}`)
  ask()
  try {
    for await (const line of terminal) {
      await busy
      if (!(await session.take(line))) break
      ask()
    }
  } finally {
    await watching?.close()
    terminal.close()
    await busy
    await runner.close()
  }
}

async function eventsOf(file: string): Promise<{ readonly events: readonly JsonObject[]; readonly leftOut: number }> {
  const events: JsonObject[] = []
  let leftOut = 0
  try {
    for await (const { value: event } of readNdjson(file)) {
      if (isJsonObject(event)) events.push(event)
      else leftOut += 1
      if (events.length === eventsMax) break
    }
  } catch (error) {
    throw new CliError(`--events: ${file} cannot be read (${error instanceof Error ? error.message : error})`)
  }
  return { events, leftOut }
}
