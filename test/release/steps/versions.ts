import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Step } from '../step.ts'

/** One version line: all packages have one version, and changesets name only packages that exist. */
export const versions: Step = {
  name: 'versions',
  summary: 'one version of all packages, valid changesets, settings for provenance',
  async run({ root, packages, env }) {
    const problems: string[] = []
    const repository = repositoryUrl(root, env)
    if (repository === undefined)
      problems.push(
        'npm refuses provenance for packages that name no repository: give --repository <url>, or the checkout a remote origin with an address of https or ssh',
      )
    const found = new Set(packages.map(({ manifest }) => manifest.version))
    if (found.size > 1) problems.push(`packages have several versions: ${[...found].join(', ')}; give all the same`)
    const names = new Set(packages.map(({ manifest }) => manifest.name))
    const changesets = readChangesets(join(root, '.changeset'))
    for (const { file, packages: changed } of changesets)
      for (const name of changed.keys())
        if (!names.has(name)) problems.push(`.changeset/${file} names ${name}, which is no released package`)
    for (const { manifest } of packages) {
      const { name, license, publishConfig } = manifest
      if (license !== 'MIT') problems.push(`${name} has the licence ${license}; the project has MIT`)
      if (publishConfig?.provenance !== true || publishConfig.access !== 'public')
        problems.push(`${name}: publishConfig needs "access": "public" and "provenance": true`)
    }
    const kinds = changesets.flatMap((each) => [...each.packages.values()])
    const kind = ['major', 'minor', 'patch'].find((each) => kinds.includes(each)) ?? 'none'
    return {
      problems,
      notes: [
        `${packages.length} packages at ${[...found].join(', ')}, ${changesets.length} changesets, next: ${kind}`,
        ...(repository === undefined ? [] : [`packages name the repository ${repository}`]),
      ],
    }
  },
}

/** Returns the address that packing writes into the packages. */
function repositoryUrl(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const hooks = createRequire(join(root, 'package.json'))('./.pnpmfile.cjs') as {
    repositoryUrl(env: NodeJS.ProcessEnv): string | undefined
  }
  return hooks.repositoryUrl(env)
}

export interface Changeset {
  readonly file: string
  /** Kind of change by package. */
  readonly packages: ReadonlyMap<string, string>
}

/** Reads the front matter of all changesets. */
export function readChangesets(folder: string): readonly Changeset[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => {
      const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync(join(folder, file), 'utf8')) ?? []
      const lines = [...head.matchAll(/^["']?([^"':]+)["']?: *(major|minor|patch)$/gm)]
      return { file, packages: new Map(lines.map(([, name = '', kind = '']) => [name, kind])) }
    })
}
