import { isJsonObject, type JsonObject } from '@sluice/core'
import { printable, printableLines } from '@sluice/core/printable'
import { createSecretMask } from '@sluice/destinations/kit'
import {
  codesOf,
  type OfflineDestination,
  OfflineLoadError,
  type OfflineRun,
  type OfflineRunner,
  ProjectError,
  placeLines,
  placeOf,
  type Subject,
  shownPath,
} from '@sluice/testing'
import pc from 'picocolors'
import { parse } from '#inlined/yaml'

interface ReplSessionOptions {
  readonly runner: OfflineRunner
  /** Reads the current code. */
  readonly load: () => Promise<Subject>
  /** Events to choose from, numbered from 1. */
  readonly events: readonly JsonObject[]
  readonly write: (text: string) => void
  /** When given, the requests to this destination are shown, with secrets masked. */
  readonly destination?: OfflineDestination
}

/** Maximum number of events that `list` shows. */
const listedMax = 20

export const replHelp = `  {"type":"track",…}   run an event; names need no quotes, and an event can span several lines
  7                    run event 7 of the file
  list [text]          list the events of the file that contain the text
  again                run the last event again (as after every save)
  exit                 or Ctrl-D`

/** An interactive session, independent of the terminal. */
export class ReplSession {
  readonly #options: ReplSessionOptions
  #last: JsonObject | undefined
  /** Lines of an incomplete event. */
  #begun = ''

  constructor(options: ReplSessionOptions) {
    this.#options = options
  }

  /** Whether the next line continues an event. */
  get isOpen(): boolean {
    return this.#begun !== ''
  }

  /** Whether there is an event to run again. */
  get hasRun(): boolean {
    return this.#last !== undefined
  }

  /** Handles a line. @returns false when it ends the session. */
  async take(line: string): Promise<boolean> {
    const text = this.#begun + line
    const word = text.trim()
    if (word === '' || this.#isUnfinished(text, line)) return true
    this.#begun = ''
    if (word === 'exit' || word === 'quit') return false
    if (word === 'help') this.#options.write(replHelp)
    else if (word === 'again') await this.again()
    else if (/^list\b/.test(word)) this.#list(word.slice('list'.length).trim())
    else if (/^\d+$/.test(word)) await this.#pick(Number(word))
    else await this.#type(word)
    return true
  }

  /** Discards an incomplete event. */
  forget(): void {
    this.#begun = ''
  }

  /** Runs the last event with the current code. */
  async again(): Promise<void> {
    if (this.#last) await this.#run(this.#last)
    else this.#options.write('no event yet')
  }

  /** Keeps an event with open brackets for the next line. An empty line ends it in any case. */
  #isUnfinished(text: string, line: string): boolean {
    if (!text.trimStart().startsWith('{') || line.trim() === '' || openBrackets(text) <= 0) return false
    this.#begun = `${text}\n`
    return true
  }

  #list(wanted: string): void {
    const { events, write } = this.#options
    const lines = events
      .map((event, index) => `${String(index + 1).padStart(5)}  ${JSON.stringify(event)}`)
      .filter((line) => line.toLowerCase().includes(wanted.toLowerCase()))
    const more = lines.length > listedMax ? [`       … ${lines.length - listedMax} more; narrow with list TEXT`] : []
    const width = (process.stdout.columns ?? 120) - 1
    const shown = lines
      .slice(0, listedMax)
      .map((line) => printable(line.length > width ? `${line.slice(0, width - 1)}…` : line))
    if (events.length === 0) write('no events; load some with --events FILE')
    else write(lines.length === 0 ? `none of ${events.length} events contains this` : [...shown, ...more].join('\n'))
  }

  async #pick(number: number): Promise<void> {
    const event = this.#options.events[number - 1]
    if (event) await this.#run(event)
    else this.#options.write(`there is no event ${number}; there are ${this.#options.events.length}`)
  }

  async #type(text: string): Promise<void> {
    const event = parseEvent(text)
    if (isJsonObject(event)) await this.#run(event)
    else this.#options.write(`${printable(text.slice(0, 60))}: neither an event nor a command; type help`)
  }

  async #run(event: JsonObject): Promise<void> {
    const { runner, load, write, destination } = this.#options
    this.#last = event
    try {
      const subject = await load()
      write(runText(await runner.run(subject, [event], destination && { destination }), subject, destination))
    } catch (error) {
      // Half-saved or missing code must not end the session.
      if (!(error instanceof OfflineLoadError || error instanceof ProjectError)) throw error
      write(pc.red(printableLines(error.message)))
    }
  }
}

function runText({ endings, log, timeMs }: OfflineRun, subject: Subject, destination?: OfflineDestination): string {
  const mask = destination && createSecretMask(destination.definition, destination.settings)
  const lines = log.map((line) => pc.dim(`log: ${printableLines(line)}`))
  for (const { outcome, output, requests, reason, error } of endings) {
    if (error) {
      lines.push(pc.red(printableLines(mask ? String(mask.value(error.message)) : error.message)))
      lines.push(...linesAt(error.message, subject))
    } else if (outcome === 'dropped') lines.push(pc.yellow(printableLines(`dropped: ${reason}`)))
    else if (requests && mask) lines.push(...requests.map((request) => shown(mask.request(request))))
    else lines.push(...output.map(shown))
  }
  return [...lines, pc.dim(`${timeMs.toFixed(1)} ms`)].join('\n')
}

const shown = (value: unknown): string => printableLines(JSON.stringify(value, null, 2))

/** Returns the lines of code around an error. */
function linesAt(message: string, subject: Subject): readonly string[] {
  const place = placeOf(message, subject, codesOf(subject))
  if (place === undefined) return []
  const lines = placeLines({ ...place, file: shownPath(process.cwd(), place.file) })
  return lines.map((line) => pc.dim(printable(line)))
}

/** Parses JSON, or YAML's flow style, which is JSON without quotes. */
function parseEvent(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    try {
      return parse(text) as unknown
    } catch {
      return undefined
    }
  }
}

/** Counts the open brackets outside of strings. */
function openBrackets(text: string): number {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '')
  return (bare.match(/[[{]/g) ?? []).length - (bare.match(/[\]}]/g) ?? []).length
}
