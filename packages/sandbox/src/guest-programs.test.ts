import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { camelCase } from '@sluice/core/camel-case'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../guest')
const header = `/**
 * The programs that guests run, as texts without comments and indentation.
 *
 * Written by \`pnpm guests\` from the files of the same names in the folder \`guest\`: change those.
 */
`

/** Returns a program without comments, indentation and empty lines. All else is as in the file, line ends included. */
function programOf(text: string): string {
  const file = ts.createSourceFile('program.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  let program = ''
  let end = 0
  const add = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(file)
    for (const child of children) add(child)
    const token = children.length === 0 ? node.getText(file) : ''
    if (token === '') return
    const between = text.slice(end, node.getStart(file))
    program += (between.includes('\n') ? '\n' : between && ' ') + token
    end = node.getEnd()
  }
  add(file)
  return program.trimStart()
}

describe('the programs of guests', () => {
  it('are up to date; run pnpm guests to write them', async () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const programs = names.map((name) => {
      const program = programOf(readFileSync(join(folder, name), 'utf8'))
      // The test of the import table takes a line that begins with an import for one of the file.
      const written = program.replace(/[\\`]|\$\{/g, '\\$&').replace(/^(?:import|export .* from)\b/gm, ' $&')
      return `\nexport const ${camelCase(basename(name, '.js'))} = \`\n${written}\n\`\n`
    })
    await expect(header + programs.join('')).toMatchFileSnapshot('guest-programs.ts')
  })

  const cases = [
    { name: 'leaves out comments', text: '/** A */\nf(/* b */ 1) // c\n// d\ng()', program: 'f( 1)\ng()' },
    { name: 'leaves out types', text: 'delete /** @type {T} */ (x).y', program: 'delete (x).y' },
    { name: 'leaves out indentation', text: 'if (a)\n\n    b()', program: 'if (a)\nb()' },
    { name: 'keeps texts', text: `f('// a', \`\n  \${b}  // d\`)`, program: `f('// a', \`\n  \${b}  // d\`)` },
    { name: 'keeps patterns', text: 'f(/[/*]  a*/)', program: 'f(/[/*]  a*/)' },
    { name: 'keeps line ends that end a statement', text: 'a /* b\n */ b', program: 'a\nb' },
  ]
  it.each(cases)('$name', ({ text, program }) => {
    expect(programOf(text)).toBe(program)
  })
})
