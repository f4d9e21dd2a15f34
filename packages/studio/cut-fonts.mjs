import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'

/** Printable Latin with its accents, and the signs that the studio writes. Other text is in the system's font. */
const characters = [
  ...range(0x20, 0x7e),
  ...range(0xa0, 0xff),
  ...'ıŁłŒœŠšŸŽž–—‘’“”„†•…‰′″‹›€™←↑→↓↔↕−≈≠≤≥⌘⌥⇧⏎×÷·✓',
].join('')

const fonts = [
  { name: 'geist', heaviest: 600 },
  { name: 'geist-mono', heaviest: 500 },
]

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n))
}

/**
 * Writes the fonts of the page into a folder, cut to Latin and to the weights in use.
 * @returns the files that they were made from, for the list of licences.
 */
export async function cutFonts(folder) {
  mkdirSync(folder, { recursive: true })
  const { resolve } = createRequire(import.meta.url)
  const sources = fonts.map(({ name }) => resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`))
  for (const [n, { name, heaviest }] of fonts.entries()) {
    const cut = await subsetFont(readFileSync(sources[n]), characters, {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: 400, max: heaviest } },
      // Digits of one width, kerning, ligatures; no stylistic sets.
      keepFeatures: ['kern', 'liga', 'tnum', 'mark', 'mkmk', 'ccmp', 'locl'],
    })
    writeFileSync(join(folder, `${name}.woff2`), cut)
  }
  return sources
}
