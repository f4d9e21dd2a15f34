import type { Profile } from '@sluice/testing/profile'
import type { CodeToTry } from '@sluice/transformations'
import { request } from '../../../api/request.ts'
import type { CodeRunner } from '../../../sandbox/code-runner.ts'
import { askTypes } from '../../../types/ask-types.ts'
import type { Library, RunResult, TestProblem } from '../transformation.ts'

/** The page's own sandbox; its code and its engine are loaded with the first run. */
let runner: Promise<CodeRunner> | undefined

/**
 * Runs code on events in the page, saved or not: nothing is sent anywhere. Results are those of production, except that
 * credentials are empty.
 * @param unsaved a library that is used in place of its newest version.
 * @throws Error when the events are not a list of objects.
 */
export async function tryInPage(name: string, code: string, events: unknown, unsaved?: Library): Promise<RunResult> {
  runner ??= import('../../../sandbox/code-runner.ts').then(({ createCodeRunner }) => createCodeRunner())
  runner.catch(() => {
    runner = undefined
  })
  const given = await codeToTry(name, code, events, unsaved)
  let trial = await (await runner).run(given)
  // TypeScript is loaded only for code that needs it.
  if (trial.problems.some(({ index, error }) => index === undefined && error.includes('SyntaxError'))) {
    const stripped = await withoutTypes(given)
    if ('problem' in stripped) return brokenRun(given, stripped.problem)
    if (stripped.isTyped) trial = await (await runner).run(stripped.code)
  }
  return {
    outcomes: trial.outcomes,
    logs: trial.log,
    problems: trial.problems.map(({ module, ...problem }) => ({
      ...problem,
      ...(module === undefined || module === name ? {} : { module }),
      ...(problem.index === undefined ? {} : { event: given.events[problem.index] }),
    })),
    runMs: trial.runMs,
  }
}

/**
 * Measures in the page which lines take time, by running the events again and again for half a second.
 * @throws Error when the code cannot be loaded, or does not end.
 */
export async function measureInPage(name: string, code: string, events: unknown): Promise<Profile> {
  const { profileInPage } = await import('../../../sandbox/profile-in-page.ts')
  const given = await codeToTry(name, code, events)
  const measured = await profileInPage(given)
  // Code with types could not be marked as it is.
  if (measured.unmarked.length === 0) return measured
  const stripped = await withoutTypes(given)
  if ('problem' in stripped) throw new Error(stripped.problem.error)
  return stripped.isTyped ? profileInPage(stripped.code) : measured
}

/** Returns the result of code that cannot be loaded: all events fail. */
function brokenRun({ events }: CodeToTry, problem: TestProblem): RunResult {
  const error = { code: 'transform.load', message: problem.error } as const
  return { outcomes: events.map(() => ({ kind: 'fail', error })), logs: [], problems: [problem], runMs: 0 }
}

async function codeToTry(name: string, code: string, events: unknown, unsaved?: Library): Promise<CodeToTry> {
  if (!Array.isArray(events) || events.some((event) => typeof event !== 'object' || event === null))
    throw new Error('Events must be a JSON array of objects.')
  const libraries = code.includes('import') ? await readLibraries(unsaved) : []
  return { name, code, libraries, events: events as CodeToTry['events'] }
}

/** Returns the code and its libraries as JavaScript, or what cannot be turned into it. */
async function withoutTypes(
  given: CodeToTry,
): Promise<{ code: CodeToTry; isTyped: boolean } | { problem: TestProblem }> {
  const strip = async (text: string, module: string | undefined) => {
    const stripped = await askTypes({ kind: 'strip', code: text })
    return stripped.ok ? stripped.code : { error: stripped.message, line: stripped.line, module: module || undefined }
  }
  const code = await strip(given.code, undefined)
  if (typeof code !== 'string') return { problem: code }
  const libraries: CodeToTry['libraries'][number][] = []
  for (const library of given.libraries) {
    const stripped = await strip(library.code, `library ${library.name}`)
    if (typeof stripped !== 'string') return { problem: stripped }
    libraries.push({ ...library, code: stripped })
  }
  const isTyped = code !== given.code || libraries.some((library, at) => library.code !== given.libraries[at]?.code)
  return { code: { ...given, code, libraries }, isTyped }
}

/**
 * Returns the libraries of the workspace, as code imports them.
 * @param unsaved a library that is used in place of its newest version.
 */
export async function readLibraries(unsaved?: Library): Promise<CodeToTry['libraries']> {
  const { libraries } = await request<{ readonly libraries: readonly Library[] }>('/libraries')
  return libraries
    .map((library) => (library.id === unsaved?.id ? unsaved : library))
    .map(({ importName, code, versionId }) => ({ name: importName, code, versionId }))
}
