// Copies the shapes of Lucide's icons that the studio uses into a module: `node icons.mjs`. Add names to `used`.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const used =
  `archive arrow-down arrow-right arrow-up ban book-open bookmark chart-line check chevron-down chevron-right chevrons-up-down circle-check
circle-dashed circle-x clock code-xml copy database download ellipsis external-link eye file-check fingerprint-pattern flame flask-conical
git-compare globe rotate-ccw-clock key-round layers layout-dashboard list-filter lock log-in log-out mail-warning maximize-2 menu monitor moon
pause play plus printer radio refresh-cw rocket scale search send server settings-2 share-2 shield-check smartphone sparkles store
sun table tag terminal timer trash triangle-alert user-x users waypoints x`.split(/\s+/)

const nodes = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('lucide-static/icon-nodes.json'), 'utf8'))

/** Returns the module: elements of each icon with their attributes, 24 units wide and high. */
export function iconModule() {
  const entries = used.map((name) => {
    if (!nodes[name]) throw new Error(`Lucide has no icon "${name}". Its names are at https://lucide.dev/icons.`)
    return `  '${name}': ${JSON.stringify(nodes[name])},`
  })
  return `// Written by icons.mjs from lucide-static (ISC licence). Do not change it by hand.
// biome-ignore format: one line for each icon.
export const iconShapes = {
${entries.join('\n')}
} as const
`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL('src/page/parts/signs/icon-shapes.ts', import.meta.url), iconModule())
