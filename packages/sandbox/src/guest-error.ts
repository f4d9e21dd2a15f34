import type { ErrorCode, StageError } from '@sluice/core'
import { familiarMessage } from './familiar-message.ts'
import type { ModuleSet } from './module-set.ts'

/** An exception as the prelude describes it; every text is the guest's. */
export interface GuestException {
  /** Where it was met: in user code, while its result became text, or a result against the rules. */
  readonly code: 'threw' | 'output' | 'refused'
  /** False when something other than an Error was thrown; `message` then shows the value. */
  readonly isError: boolean
  readonly isNullish: boolean
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Where the texts of modules are looked up by the names that frames have. */
export type Sources = Pick<ModuleSet, 'source' | 'lineStart' | 'textBefore'>

const framesMax = 20

/** The exception that an answer of the prelude holds from `offset` on; undefined when it is none. */
export function readException(answer: readonly unknown[], offset: number): GuestException | undefined {
  const [code, isError, isNullish, name, message, stack] = answer.slice(offset)
  if (code !== 'threw' && code !== 'output' && code !== 'refused') return undefined
  if (typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string') return undefined
  return { code, isError: isError === true, isNullish: isNullish === true, name, message, stack }
}

/**
 * The error of an event whose code raised `exception`: `Name: message`, then the user's own frames, one per line, as
 * `    at fn (name:line:column)`. Others, ours among them, are left out; columns lie inside the line they name.
 * Source: packages/docs/behaviour/user-code.md#errors.
 */
export function toStageError(exception: GuestException, sources: Sources): StageError {
  const { message } = exception
  if (exception.code === 'refused') return { code: 'transform.output', message }
  if (!exception.isError) return { code: 'transform.threw', message: `Error: thrown value is not an Error: ${message}` }
  const code = codeOf(exception)
  if (code === 'transform.stack') return { code, message: [stackTitle, ...frameLines(exception, sources)].join('\n') }
  return { code, message: [titleOf(exception, sources), ...frameLines(exception, sources)].join('\n') }
}

/**
 * The error of code that cannot be loaded; a syntax error names its place as `[module:line:column]`. Source:
 * packages/docs/behaviour/user-code.md#errors.
 */
export function toLoadError(exception: GuestException, sources: Sources): StageError {
  const { message } = toStageError(exception, sources)
  const [title = '', first, ...rest] = message.split('\n')
  const place =
    exception.name === 'SyntaxError' && first?.slice(0, frameCharsMax).match(/^ {4}at (?:.*\()?(.+:\d+:\d+)\)?$/)?.[1]
  return { code: 'transform.load', message: place ? [`${title} [${place}]`, ...rest].join('\n') : message }
}

const stackTitle = 'RangeError: Maximum call stack size exceeded'

function titleOf(exception: GuestException, sources: Sources): string {
  const { name } = exception
  const first = firstFrame(exception.stack, sources)
  const before = first && sources.textBefore(first.module, first.at)
  const text = familiarMessage(name, exception.message, before)
  return text === '' ? name : `${name}: ${text}`
}

// The engine's parsers report their own overflow as a SyntaxError.
function codeOf({ code, name, message }: GuestException): ErrorCode {
  const ofEngine = name === 'InternalError' || name === 'SyntaxError'
  if (ofEngine && message === 'stack overflow') return 'transform.stack'
  if (name === 'InternalError' && message === 'out of memory') return 'transform.memory'
  return code === 'output' ? 'transform.output' : 'transform.threw'
}

interface Frame {
  /** As it is shown. */
  readonly text: string
  readonly module: string
  /** Index of its place in the source. */
  readonly at: number
}

/** Longer lines of a stack are no frames: function and module are at most some hundred characters. */
const frameCharsMax = 600
const isFrame = (line: string): boolean => line.startsWith('    at ')
/** Of the engine's own functions: `at map (native)`. */
const nativePattern = /^ {4}at [\w$.[\] ]{1,80} \(native\)$/
/** What a function may be called; others could look like a place. */
const namePattern = /^[\p{L}\p{N}_$#.<>[\] ]{1,100}$/u

/**
 * The frames to show: of the program's own modules, and of the engine's functions that they called. User code may
 * have written the stack.
 */
function frameLines({ stack }: GuestException, sources: Sources): readonly string[] {
  const shown: string[] = []
  for (const line of stack.split('\n')) {
    if (shown.length === framesMax) break
    const text = nativePattern.test(line.trimEnd()) ? line.trimEnd() : ownFrame(line, sources)?.text
    if (text !== undefined) shown.push(text)
  }
  return shown
}

/**
 * The place of the error in the program; undefined when a frame of the engine itself, or of ours, is in front of it:
 * the error came from there.
 */
function firstFrame(stack: string, sources: Sources): Frame | undefined {
  const first = stack.split('\n').find(isFrame)
  return first === undefined ? undefined : ownFrame(first, sources)
}

/** A frame of a module of the program, its column inside the line; undefined when it is none. */
function ownFrame(untrimmed: string, sources: Sources): Frame | undefined {
  const line = untrimmed.trimEnd()
  if (!isFrame(line) || line.length > frameCharsMax) return undefined
  const bracket = line.endsWith(')') ? line.lastIndexOf('(') : -1
  const place = bracket === -1 ? line.slice('    at '.length) : line.slice(bracket + 1, -1)
  const [, module = '', lineText, columnText] = /^(.+):(\d{1,9}):(\d{1,9})$/.exec(place) ?? []
  const source = sources.source(module)
  if (source === undefined) return undefined
  const start = sources.lineStart(module, Number(lineText))
  if (start === undefined) return undefined
  const end = (sources.lineStart(module, Number(lineText) + 1) ?? source.length + 1) - 1
  const column = Math.max(1, Math.min(Number(columnText), end - start))
  const shown = `${module}:${lineText}:${column}`
  const name = line.slice('    at '.length, bracket - 1)
  const shownName = namePattern.test(name) ? name : '<anonymous>'
  const text = bracket === -1 ? `    at ${shown}` : `    at ${shownName} (${shown})`
  return { text, module, at: start + column - 1 }
}
