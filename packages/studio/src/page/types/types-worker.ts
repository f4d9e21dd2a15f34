import { stripTypes } from './strip-types.ts'
import { TypeService } from './type-service.ts'
import type { FromTypesWorker, ToTypesWorker, TypesAnswers } from './types-question.ts'

/** Answers questions about TypeScript beside the page, which stays quick meanwhile. */
let service: TypeService | undefined

self.addEventListener('message', ({ data }: MessageEvent<ToTypesWorker>) => {
  const { id } = data
  try {
    post({ id, answer: answer(data) })
  } catch (error) {
    post({ id, problem: String(error) })
  }
})

function answer(question: ToTypesWorker): TypesAnswers[keyof TypesAnswers] {
  if (question.kind === 'strip') return stripTypes(question.code)
  service ??= new TypeService()
  switch (question.kind) {
    case 'completions':
      return service.completions(question.typed, question.at)
    case 'hover':
      return service.hover(question.typed, question.at)
    default:
      return service.problems(question.typed)
  }
}

function post(message: FromTypesWorker): void {
  self.postMessage(message)
}
