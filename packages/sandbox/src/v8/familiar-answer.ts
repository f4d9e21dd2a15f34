import { answerKind } from '../vm/guest/prelude.ts'
import type { Answer } from './realm.ts'

const deepRecursion = 'Maximum call stack size exceeded'
const circular = 'Converting circular structure to JSON'
/** A frame of a built-in: `at Array.map (<anonymous>)`. */
const nativeFrame = /^ {4}at (?:async )?(?:[\w$]+\.)*([\w$]+)(?: \[as \w+\])? \(<anonymous>\)$/
/** The object of a method: `at Object.transformEvent (…`, `at new Map (…`. */
const framePrefix = /^( {4}at )(?:async )?(?:new )?(?:(?:Object|Module|Function|global|globalThis)\.)?/

/** Returns an answer whose exception, if it has one, is as those of QuickJS, which the host reads. */
export function familiarAnswer(answer: Answer): Answer {
  if (answer[2] !== answerKind.exception) return answer
  const [name, message, stack] = answer.slice(6)
  if (name === 'RangeError' && message === deepRecursion) {
    answer[6] = 'InternalError'
    answer[7] = 'stack overflow'
  } else if (name === 'TypeError' && typeof message === 'string' && message.startsWith(circular)) answer[7] = circular
  if (typeof stack === 'string') answer[8] = stack.split('\n').map(familiarFrame).join('\n')
  return answer
}

function familiarFrame(line: string): string {
  const native = nativeFrame.exec(line)?.[1]
  if (native !== undefined) return `    at ${native} (native)`
  return line.replace(framePrefix, '$1')
}
