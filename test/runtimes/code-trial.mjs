// Runs in Node, Deno, Bun and workerd alike: tries code in the sandbox, in process, and returns what became of each event.
import { createSandbox } from '@sluice/sandbox'
import { createTransformationPrograms, tryCode } from '@sluice/transformations'

/**
 * @param trials what `tryCode` takes, each in a sandbox of its own.
 * @param options for `createSandbox`. @returns outcomes, log and problems of each, as JSON.
 */
export async function codeTrials(trials, options) {
  const results = []
  for (const each of trials) results.push(await codeTrial(each, options))
  return JSON.parse(JSON.stringify(results))
}

async function codeTrial(trial, options) {
  const sandbox = await createSandbox({ mode: 'in-process', ...options })
  const programs = createTransformationPrograms({ sandbox })
  const { outcomes, log, problems } = await tryCode(programs, trial, new AbortController().signal)
  await sandbox.close()
  return { outcomes, log, problems }
}
