// Builds a page, unless it is already built from the present sources: `node build-page.mjs CONFIG FOLDER`.
import { readFileSync, rmSync, statSync } from 'node:fs'

const [configFile, folder] = process.argv.slice(2)
/** Written by the configuration: the files that the page was made of, and when each was last changed. */
const list = `${folder}.made-from.json`

function isPresent() {
  try {
    const madeFrom = Object.entries(JSON.parse(readFileSync(list, 'utf8')))
    return madeFrom.every(([file, at]) => statSync(file).mtimeMs === at) && statSync(`${folder}/index.html`).isFile()
  } catch {
    return false
  }
}

if (!isPresent()) {
  rmSync(list, { force: true })
  const { build } = await import('vite')
  await build({ configFile })
}
