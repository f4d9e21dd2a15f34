import { answerKind, preludeName } from '../vm/guest/prelude.ts'
import type { Answer } from './realm.ts'

const deepRecursion = 'Maximum call stack size exceeded'
const nativeEnd = ' (native)'
const circular = 'Converting circular structure to JSON'
/** A frame of a built-in: `at Array.map (<anonymous>)`. */
const nativeFrame = /^ {4}at (?:async )?(?:[\w$]+\.)*([\w$]+)(?: \[as \w+\])? \(<anonymous>\)$/
/** The object of a method: `at Object.transformEvent (…`, `at new Map (…`. */
const framePrefix = /^( {4}at )(?:async )?(?:new )?(?:(?:Object|Module|Function|global|globalThis)\.)?/

/** A default export that has no name has one of ours. */
const standardFrame = /^( {4}at )\$sluice0\b/

/** Returns an answer whose exception, if it has one, is as those of QuickJS, which the host reads. */
export function familiarAnswer(answer: Answer): Answer {
  if (answer[2] !== answerKind.exception) return answer
  const [name, message, stack] = answer.slice(6)
  if (name === 'RangeError' && message === deepRecursion) {
    answer[6] = 'InternalError'
    answer[7] = 'stack overflow'
  } else if (name === 'TypeError' && typeof message === 'string' && message.startsWith(circular)) answer[7] = circular
  if (typeof stack === 'string') {
    const lines = stack.split('\n').map(familiarFrame)
    answer[8] = lines.filter((line, n) => !isOurCall(line, lines[n + 1])).join('\n')
  }
  return answer
}

/** Whether a frame is of a built-in that our own code has called. */
const isOurCall = (line: string, caller: string | undefined): boolean =>
  line.endsWith(nativeEnd) && caller?.includes(`(${preludeName}`) === true

function familiarFrame(line: string): string {
  const native = nativeFrame.exec(line)?.[1]
  if (native !== undefined) return `    at ${native}${nativeEnd}`
  return line.replace(framePrefix, '$1').replace(standardFrame, '$1default')
}
