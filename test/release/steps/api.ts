import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { publicTypes } from '../public-types.ts'
import type { Step } from '../step.ts'
import { readChangesets } from './versions.ts'

/** Compares the public types with the reports in `test/release/api`, and asks for a changeset when a report changed. */
export const api: Step = {
  name: 'api',
  summary: 'public types are those of the reports, and changed reports have a changeset',
  async run({ root, packages, settings }) {
    const folder = join(root, 'test/release/api')
    mkdirSync(folder, { recursive: true })
    const problems: string[] = []
    const changed = changedFiles(root, settings.since)
    const reports = publicTypes(packages)
    for (const { folder: place, manifest } of packages) {
      const name = `${basename(place)}.d.txt`
      const file = join(folder, name)
      const text = reports.get(manifest.name) ?? ''
      if (settings.isWriting) writeFileSync(file, text)
      else if (!existsSync(file) || readFileSync(file, 'utf8') !== text)
        problems.push(`the public types of ${manifest.name} changed: look at them with --only api --write and git diff`)
      if (!changed?.has(`test/release/api/${name}`)) continue
      const named = readChangesets(join(root, '.changeset')).some(
        (each) => changed.has(`.changeset/${each.file}`) && each.packages.has(manifest.name),
      )
      if (!named)
        problems.push(`the public types of ${manifest.name} changed since ${settings.since}, which needs a changeset`)
    }
    const notes = changed ? [] : [`not compared with ${settings.since}, which git does not know here`]
    return { problems, notes: [`${packages.length} reports`, ...notes] }
  },
}

/**
 * Returns the files that differ from where this branch left another; undefined when git does not know that. A report
 * that is new there is no change of types.
 */
function changedFiles(root: string, since: string): ReadonlySet<string> | undefined {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  try {
    const base = git('merge-base', 'HEAD', since)[0] ?? ''
    const known = new Set(git('ls-tree', '-r', '--name-only', base, 'test/release/api'))
    const differing = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
    return new Set(differing.filter((file) => !file.startsWith('test/release/api/') || known.has(file)))
  } catch {
    return undefined
  }
}
