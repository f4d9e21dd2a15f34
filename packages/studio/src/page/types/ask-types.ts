import { startWorker } from '../workers/start-worker.ts'
import type { FromTypesWorker, ToTypesWorker, TypesAnswers, TypesQuestion } from './types-question.ts'
import workerUrl from './types-worker.ts?worker&url'

/** Longest time of an answer, in milliseconds: the first one waits for about a megabyte of TypeScript. */
const answerMs = 30_000

interface Waiting {
  resolve(answer: TypesAnswers[keyof TypesAnswers]): void
  reject(error: Error): void
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/**
 * Asks the Worker that knows TypeScript, which starts with the first question.
 * @throws Error when it cannot be loaded, breaks, or does not answer in time; the next question starts it again.
 */
export function askTypes<Kind extends TypesQuestion['kind']>(
  question: Extract<TypesQuestion, { readonly kind: Kind }>,
): Promise<TypesAnswers[Kind]> {
  worker ??= start()
  lastId += 1
  const id = lastId
  return new Promise<TypesAnswers[Kind]>((resolve, reject) => {
    const timer = setTimeout(() => end('TypeScript did not answer in time.'), answerMs)
    const over = (): void => {
      clearTimeout(timer)
      waiting.delete(id)
    }
    waiting.set(id, {
      resolve: (answer) => {
        over()
        resolve(answer as TypesAnswers[Kind])
      },
      reject: (error) => {
        over()
        reject(error)
      },
    })
    worker?.postMessage({ ...question, id } satisfies ToTypesWorker)
  })
}

function start(): Worker {
  const started = startWorker(workerUrl, 'typescript')
  started.onerror = ({ message }) => end(message || 'TypeScript cannot be loaded.')
  started.onmessage = ({ data }: MessageEvent<FromTypesWorker>) => {
    const asked = waiting.get(data.id)
    if ('problem' in data) asked?.reject(new Error(data.problem))
    else asked?.resolve(data.answer)
  }
  return started
}

function end(problem: string): void {
  worker?.terminate()
  worker = undefined
  for (const { reject } of [...waiting.values()]) reject(new Error(problem))
}
