import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Project, ProjectError, type ProjectTransformation } from '../project/project.ts'
import { shownPath } from '../project/project-files.ts'
import { type Counterexample, trafficConditions } from './check-traffic.ts'
import type { TrafficLaw } from './traffic-laws.ts'

/**
 * Saves an event that breaks a law as a case of its transformation, with the conditions of the run. All personal values in it
 * are made up. @returns the path of the case, below the root. @throws ProjectError where the layout has no folder for cases.
 */
export async function saveCounterexample(
  { root, layout }: Project,
  { file, cases }: ProjectTransformation,
  { event, law }: Counterexample & { readonly law: TrafficLaw },
): Promise<string> {
  if (layout !== 'folders')
    throw new ProjectError(`cases of ${basename(file)} cannot be saved: its project has another layout than folders`)
  const text = `${JSON.stringify(event, null, 2)}\n`
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const name = `${law.replaceAll(' ', '-')}-${digest}.json`
  const folder = folderOf(root, file, cases)
  await mkdir(join(folder, 'input'), { recursive: true })
  await mkdir(join(folder, 'conditions'), { recursive: true })
  const conditions = { ...trafficConditions, now: new Date(trafficConditions.now).toISOString() }
  await writeFile(join(folder, 'conditions', name), `${JSON.stringify(conditions, null, 2)}\n`)
  const saved = join(folder, 'input', name)
  await writeFile(saved, text)
  return shownPath(root, saved)
}

/** Returns the folder of the cases of a transformation, whether there are any yet or not. */
function folderOf(root: string, file: string, cases: ProjectTransformation['cases']): string {
  const input = cases.find(({ inputFile }) => inputFile !== undefined)?.inputFile
  if (input !== undefined) return dirname(dirname(input))
  const isLone = dirname(file) === root
  return isLone ? root : join(root, 'tests', basename(file).replace(/\.[jt]s$/, ''))
}
