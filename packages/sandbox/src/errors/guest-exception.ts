import type { ErrorCode, StageError } from '@sluice/core'
import type { ModuleSet } from '../code/module-set.ts'
import { familiarMessage } from './familiar-message.ts'

/** An exception as described by the prelude. All texts are untrusted. */
export interface GuestException {
  /** Where it occurred: in user code, while converting its result, or because the result breaks the rules. */
  readonly code: 'threw' | 'output' | 'refused'
  /** False when user code threw something other than an Error; `message` then shows the value. */
  readonly isError: boolean
  readonly isNullish: boolean
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Finds the source of modules by the names in stack frames. */
export type Sources = Pick<ModuleSet, 'source' | 'lineStart' | 'textBefore'>

const framesMax = 20

/** Reads the exception in an answer of the prelude from `offset`; undefined when there is none. */
export function readException(answer: readonly unknown[], offset: number): GuestException | undefined {
  const [code, isError, isNullish, name, message, stack] = answer.slice(offset)
  if (code !== 'threw' && code !== 'output' && code !== 'refused') return undefined
  if (typeof name !== 'string' || typeof message !== 'string' || typeof stack !== 'string') return undefined
  return { code, isError: isError === true, isNullish: isNullish === true, name, message, stack }
}

/**
 * Returns the error of an event whose code threw `exception`: `Name: message`, then the user's own frames, one per
 * line, as ` at fn (name:line:column)`. Other frames, including ours, are removed; columns are within their line.
 * Source: packages/docs/behaviour/user-code.md#errors.
 */
export function toStageError(exception: GuestException, sources: Sources): StageError {
  const { message } = exception
  if (exception.code === 'refused') return { code: 'transform.output', message }
  if (!exception.isError) return { code: 'transform.threw', message: `Error: thrown value is not an Error: ${message}` }
  const code = codeOf(exception)
  if (code === 'transform.stack')
    return { code, message: [stackTitle, ...frameLines(exception.stack, sources)].join('\n') }
  return { code, message: [titleOf(exception, sources), ...frameLines(exception.stack, sources)].join('\n') }
}

/**
 * Returns the error of code that cannot be loaded. A syntax error names its place as `[module:line:column]`. Source:
 * packages/docs/behaviour/user-code.md#errors.
 */
export function toLoadError(exception: GuestException, sources: Sources): StageError {
  const { message } = toStageError(exception, sources)
  const [title = '', first, ...rest] = message.split('\n')
  const place =
    exception.name === 'SyntaxError' && first?.slice(0, frameCharsMax).match(/^ {4}at (?:.*\()?(.+:\d+:\d+)\)?$/)?.[1]
  return { code: 'transform.load', message: place ? [`${title} [${place}]`, ...rest].join('\n') : message }
}

/** Adds the frames of the program's own code to the message of an error that user code did not throw. */
export function withFrames(message: string, stack: string, sources: Sources): string {
  return [message, ...frameLines(stack, sources)].join('\n')
}

const stackTitle = 'RangeError: Maximum call stack size exceeded'

function titleOf(exception: GuestException, sources: Sources): string {
  const { name } = exception
  const first = firstFrame(exception.stack, sources)
  const before = first && sources.textBefore(first.module, first.at)
  const text = familiarMessage(name, exception.message, before)
  return text === '' ? name : `${name}: ${text}`
}

// The engine's parsers report a stack overflow of their own as a SyntaxError.
function codeOf({ code, name, message }: GuestException): ErrorCode {
  const ofEngine = name === 'InternalError' || name === 'SyntaxError'
  if (ofEngine && message === 'stack overflow') return 'transform.stack'
  if (name === 'InternalError' && message === 'out of memory') return 'transform.memory'
  return code === 'output' ? 'transform.output' : 'transform.threw'
}

interface Frame {
  /** Text to show. */
  readonly text: string
  readonly module: string
  /** Index in the source. */
  readonly at: number
}

/** Longest line that can be a frame: names of functions and modules have at most some hundred characters. */
const frameCharsMax = 600
const isFrame = (line: string): boolean => line.startsWith('    at ')
/** A frame of the engine's own functions: `at map (native)`. */
const nativePattern = /^ {4}at [\w$.[\] ]{1,80} \(native\)$/
/** Allowed function names; others could look like a place. */
const namePattern = /^[\p{L}\p{N}_$#.<>[\] ]{1,100}$/u

/**
 * Returns the frames to show: those of the program's own modules and of the engine functions they called. User code may
 * have forged the stack.
 */
function frameLines(stack: string, sources: Sources): readonly string[] {
  const shown: string[] = []
  for (const line of stack.split('\n')) {
    if (shown.length === framesMax) break
    const text = nativePattern.test(line.trimEnd()) ? line.trimEnd() : ownFrame(line, sources)?.text
    if (text !== undefined) shown.push(text)
  }
  return shown
}

/**
 * Returns the place of the error in the program. Undefined when a frame of the engine or of ours comes first, because
 * the error then occurred there.
 */
function firstFrame(stack: string, sources: Sources): Frame | undefined {
  const first = stack.split('\n').find(isFrame)
  return first === undefined ? undefined : ownFrame(first, sources)
}

/** Returns a frame in a module of the program, with the column within its line; undefined for any other frame. */
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
