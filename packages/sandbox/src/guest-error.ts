import type { ErrorCode, StageError } from '@sluice/core'
import { familiarMessage } from './familiar-message.ts'
import type { ModuleSet } from './module-set.ts'
import { preludeName } from './vm/guest-prelude.ts'

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
export type Sources = Pick<ModuleSet, 'source'>

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
 * `    at fn (name:line:column)`. Frames of ours are left out; columns lie inside the line they name.
 * Source: transformation facts 1.3 (refusals have no name), 1.7 and 1.12.
 */
export function toStageError(exception: GuestException, sources: Sources): StageError {
  const { message } = exception
  if (exception.code === 'refused') return { code: 'transform.output', message }
  if (!exception.isError) return { code: 'transform.threw', message: `Error: thrown value is not an Error: ${message}` }
  const code = codeOf(exception)
  if (code === 'transform.stack') return { code, message: [stackTitle, ...frameLines(exception, sources)].join('\n') }
  return { code, message: [titleOf(exception, sources), ...frameLines(exception, sources)].join('\n') }
}

/** The error of code that cannot be loaded; a syntax error names its place as `[module:line:column]`. Source: facts 1.7. */
export function toLoadError(exception: GuestException, sources: Sources): StageError {
  const { message } = toStageError(exception, sources)
  const [title = '', first, ...rest] = message.split('\n')
  const place = exception.name === 'SyntaxError' && first?.match(/^ {4}at (?:.*\()?(.+:\d+:\d+)\)?$/)?.[1]
  return { code: 'transform.load', message: place ? [`${title} [${place}]`, ...rest].join('\n') : message }
}

const stackTitle = 'RangeError: Maximum call stack size exceeded'

function titleOf(exception: GuestException, sources: Sources): string {
  const { name } = exception
  const [first] = userFrames(exception.stack)
  const line = first && sources.source(first.module)?.split('\n')[first.line - 1]
  // A frame of the engine itself, or of ours, in front of it means that the error came from there.
  const before = line !== undefined && isFirstFrame(exception.stack) ? line.slice(0, first?.column ?? 0) : undefined
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
  readonly text: string
  readonly module: string
  readonly line: number
  readonly column: number
}

const framePattern = /^( {4}at (?:.*\()?)(.+):(\d+):(\d+)(\)?)$/
const isFrame = (line: string): boolean => line.startsWith('    at ')
const isFirstFrame = (stack: string): boolean => framePattern.test(stack.split('\n').find(isFrame)?.trimEnd() ?? '')

/** Frames of the engine's own functions (`at map (native)`) come with those of the user's. */
function frameLines({ stack }: GuestException, sources: Sources): readonly string[] {
  return ownLines(stack).map((line) => {
    const [, start, module, lineNumber, column, end] = framePattern.exec(line) ?? []
    if (module === undefined) return line
    const width = sources.source(module)?.split('\n')[Number(lineNumber) - 1]?.length
    const inside = width === undefined ? Number(column) : Math.max(1, Math.min(Number(column), width))
    return `${start}${module}:${lineNumber}:${inside}${end}`
  })
}

function userFrames(stack: string): readonly Frame[] {
  return ownLines(stack).flatMap((text) => {
    const [, , module, line, column] = framePattern.exec(text) ?? []
    return module === undefined ? [] : [{ text, module, line: Number(line), column: Number(column) }]
  })
}

function ownLines(stack: string): readonly string[] {
  const frames = stack.split('\n').filter((line) => isFrame(line) && !line.includes(preludeName))
  return frames.slice(0, framesMax).map((line) => line.trimEnd())
}
