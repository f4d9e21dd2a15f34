import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ProjectError } from '../project/project.ts'
import type { Fc } from './event-arbitrary.ts'

/**
 * Loads the fast-check of a project, which makes events up and finds the smallest one that fails.
 * @throws ProjectError that says how to install it, when it is not there.
 */
export async function loadFastCheck(root: string): Promise<Fc> {
  let entry: string
  try {
    entry = createRequire(join(root, 'package.json')).resolve('fast-check')
  } catch {
    throw new ProjectError(
      `events are made up by fast-check, which is not installed in ${root}; run there: npm install --save-dev fast-check`,
    )
  }
  const loaded: Fc & { readonly default?: Fc } = await import(pathToFileURL(entry).href)
  return loaded.default ?? loaded
}
