import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAllowedLicence } from '../allowed-licences.ts'
import { inlinedPackages } from '../inlined-packages.ts'
import type { Step } from '../step.ts'

/** Checks the licence of every package that an installation brings, also of those that are inside of ours. */
export const licences: Step = {
  name: 'licences',
  summary: 'licences of all dependencies are on the list of allowed ones',
  async run(bench) {
    const folder = join(await bench.project('npm'), 'node_modules')
    const counts = new Map<string, number>()
    const problems: string[] = []
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/(?:^|node_modules\/)(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(file) || isInside(file)) continue
      const { name, version, license } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const licence = typeof license === 'string' ? license : undefined
      counts.set(licence ?? 'none', (counts.get(licence ?? 'none') ?? 0) + 1)
      if (!isAllowedLicence(licence))
        problems.push(
          `${name} ${version} has the licence ${licence ?? 'none'}; replace it, or add it to allowed-licences.ts`,
        )
    }
    const inlined = inlinedPackages(folder)
    if (inlined.length === 0) problems.push('no package of ours lists what is inlined')
    for (const { name, version, licence } of inlined)
      if (!isAllowedLicence(licence))
        problems.push(`${name} ${version}, which is inlined, has the licence ${licence}; replace it`)
    const shown = [...counts].sort(([, a], [, b]) => b - a).map(([licence, count]) => `${licence} ${count}`)
    return { problems, notes: [shown.join(', '), `${inlined.length} inlined`] }
  },
}

/** Whether a manifest lies deeper in a package than its root. */
function isInside(file: string): boolean {
  const path = file.split('node_modules/').at(-1) ?? ''
  return path.split('/').length > (path.startsWith('@') ? 3 : 2)
}
