import { startWorker } from '../../workers/start-worker.ts'
import type { FromMappingWorker, MappingAnswers, MappingQuestion, ToMappingWorker } from './mapping-question.ts'
import workerUrl from './mapping-worker.ts?worker&url'

/** Longest time of an answer, in milliseconds, loading included. Mapping 200 events takes a few. */
const answerMs = 10_000

let worker: Worker | undefined
let lastId = 0

/**
 * Asks the Worker that knows destinations, which starts with the first question.
 * @throws Error when it cannot be loaded or does not answer in time; it is ended then, and the next question starts another.
 */
export function askMapping<Kind extends MappingQuestion['kind']>(
  question: Extract<MappingQuestion, { readonly kind: Kind }>,
): Promise<MappingAnswers[Kind]> {
  worker ??= startWorker(workerUrl, 'destinations')
  const asked = worker
  lastId += 1
  const id = lastId
  return new Promise<MappingAnswers[Kind]>((resolve, reject) => {
    const over = (): void => {
      clearTimeout(timer)
      asked.removeEventListener('message', onMessage)
      asked.removeEventListener('error', onError)
    }
    const end = (problem: string): void => {
      over()
      asked.terminate()
      if (worker === asked) worker = undefined
      reject(new Error(problem))
    }
    const timer = setTimeout(() => end('The destination did not answer in time.'), answerMs)
    const onError = ({ message }: ErrorEvent): void => end(message || 'The destinations cannot be loaded.')
    const onMessage = ({ data }: MessageEvent<FromMappingWorker>): void => {
      if (data.id !== id) return
      over()
      if ('problem' in data) reject(new Error(data.problem))
      else resolve(data.answer as MappingAnswers[Kind])
    }
    asked.addEventListener('message', onMessage)
    asked.addEventListener('error', onError)
    asked.postMessage({ ...question, id } satisfies ToMappingWorker)
  })
}
