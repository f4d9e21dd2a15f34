import type { ErrorCode, StageError } from '@sluice/core'
import { preludeName } from './guest-prelude.ts'

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

const framesMax = 20

/** The commonest texts of the engine, in the words of V8 that people know and search for. */
const rewordings: readonly (readonly [RegExp, string])[] = [
  [/^'(.+)' is not defined$/s, '$1 is not defined'],
  [/^cannot read property '(.*)' of (undefined|null)$/s, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/s, "Cannot set properties of $2 (setting '$1')"],
]

/**
 * The error of an event whose code raised `exception`: `Name: message`, then the user's own frames, one per line, as
 * `    at fn (name:line:column)`. Frames of the prelude, and what called it, are left out.
 * Source: transformation facts 1.3 (refusals have no name), 1.7 and 1.12.
 */
export function toStageError(exception: GuestException): StageError {
  const { name, message } = exception
  if (exception.code === 'refused') return { code: 'transform.output', message }
  if (!exception.isError) return { code: 'transform.threw', message: `Error: thrown value is not an Error: ${message}` }
  const code = codeOf(exception)
  const title = code === 'transform.stack' ? 'RangeError: Maximum call stack size exceeded' : titleOf(name, message)
  return { code, message: [title, ...userFrames(exception.stack)].join('\n') }
}

/** The error of code that cannot be loaded; a syntax error names its place as `[module:line:column]`. Source: facts 1.7. */
export function toLoadError(exception: GuestException): StageError {
  const { message } = toStageError(exception)
  const [title = '', first, ...rest] = message.split('\n')
  const place = exception.name === 'SyntaxError' && first?.match(/^ {4}at (?:.*\()?(.+:\d+:\d+)\)?$/)?.[1]
  return { code: 'transform.load', message: place ? [`${title} [${place}]`, ...rest].join('\n') : message }
}

function titleOf(name: string, message: string): string {
  let text = message
  if (name === 'ReferenceError' || name === 'TypeError')
    for (const [pattern, words] of rewordings) text = text.replace(pattern, words)
  return text === '' ? name : `${name}: ${text}`
}

// The engine's parsers report their own overflow as a SyntaxError.
function codeOf({ code, name, message }: GuestException): ErrorCode {
  const ofEngine = name === 'InternalError' || name === 'SyntaxError'
  if (ofEngine && message === 'stack overflow') return 'transform.stack'
  if (name === 'InternalError' && message === 'out of memory') return 'transform.memory'
  return code === 'output' ? 'transform.output' : 'transform.threw'
}

function userFrames(stack: string): readonly string[] {
  const frames: string[] = []
  for (const line of stack.split('\n')) {
    if (line.includes(preludeName) || frames.length === framesMax) break
    if (line.startsWith('    at ')) frames.push(line.trimEnd())
  }
  return frames
}
