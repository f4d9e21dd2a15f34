import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sluiceProgram } from '../../packages/sluice/src/cli/sluice-program.ts'
import { root } from './page-blocks.ts'
import { wordsOf } from './shell-words.ts'

/** Programs of others that pages name, and that are not looked into. */
const others = ['cd', 'export', 'terraform', 'vitest']
const ownNames = [/^sluice$/, /^@sluice\//]

/**
 * Returns what is wrong with a line that cannot run here: commands, flags, arguments, scripts, benches and packages
 * that do not exist. Empty when nothing is.
 * @param routes of the OpenAPI document, such as `GET /v2/sources`, for lines that call a server of Sluice.
 */
export function usageProblems(line: string, routes: readonly string[]): readonly string[] {
  return wordsOf(line).flatMap((words) => {
    const typed = words.filter((_, index) => !words.slice(0, index + 1).every((each) => /^\w+=/.test(each)))
    const [program = '', ...args] = typed[0] === 'npx' ? typed.slice(1) : typed
    if (program === 'sluice') return sluiceProblems(args)
    if (/^p?npm(@|$)/.test(program)) return packageManagerProblems(program, args)
    if (program === 'curl') return curlProblems(args, routes)
    if (program.includes('/')) return existsSync(join(root, program)) ? [] : [`there is no ${program}`]
    return others.includes(program) ? [] : [`unknown program: ${program}`]
  })
}

/** Parses arguments as the command does, without running it. */
export function sluiceProblems(args: readonly string[]): readonly string[] {
  let command = sluiceProgram('')
  let rest = args
  const path = ['sluice']
  for (;;) {
    const next = command.commands.find((each) => each.name() === rest[0] || each.aliases().includes(rest[0] ?? ''))
    if (next === undefined) break
    command = next
    path.push(next.name())
    rest = rest.slice(1)
  }
  // One with arguments of its own runs without a subcommand.
  if (command.commands.length > 0 && command.registeredArguments.length === 0)
    return [`${path.join(' ')} has no command ${rest[0] ?? ''}`]
  let problem: string | undefined
  command.exitOverride((error) => {
    problem = error.message
    throw error
  })
  command.configureOutput({ writeErr: () => {} })
  try {
    const { operands, unknown } = command.parseOptions([...rest])
    const expected = command.registeredArguments
    const required = expected.filter((argument) => argument.required).length
    const most = expected.some((argument) => argument.variadic) ? Number.POSITIVE_INFINITY : expected.length
    if (unknown.length > 0) return [`${path.join(' ')} has no ${unknown[0]}`]
    if (operands.length < required || operands.length > most)
      return [`${path.join(' ')} takes ${required} to ${most} arguments, not ${operands.join(' ') || 'none'}`]
    return []
  } catch (error) {
    return [`${path.join(' ')}: ${problem ?? String(error)}`]
  }
}

function packageManagerProblems(program: string, args: readonly string[]): readonly string[] {
  const [first = '', ...rest] = args.filter((arg) => !arg.startsWith('-'))
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  // Of npm and pnpm themselves. `npm test` and `npm start` are scripts.
  if (first === 'install')
    return rest
      .filter((name) => ownNames.some((each) => each.test(name)))
      .filter((name) => !existsSync(join(root, 'packages', name.replace('@sluice/', ''))))
      .map((name) => `there is no package ${name}`)
  const [script = '', ...operands] = first === 'run' ? rest : [first, ...rest]
  if (script === 'sluice') return sluiceProblems(args.slice(args.indexOf('sluice') + 1).filter((arg) => arg !== '--'))
  if (!(script in scripts)) return [`${program}: there is no script ${script}`]
  if (script !== 'bench') return []
  const benches = readdirSync(join(root, 'bench'))
  return operands
    .filter((name, index) => args[args.indexOf(name) - 1]?.startsWith('--') !== true || index === 0)
    .filter((name) => !benches.includes(`${name}.bench.ts`))
    .map((name) => `there is no bench ${name}`)
}

function curlProblems(args: readonly string[], routes: readonly string[]): readonly string[] {
  const address = args.find((arg) => /^(?:https?:|\$)/.test(arg))
  if (address === undefined) return ['curl has no address']
  const [, path] = /^(?:http:\/\/127\.0\.0\.1:\d+|\$\{?API\}?)(\/[^?]*)/.exec(address) ?? []
  if (path === undefined) return []
  const method = args[args.indexOf('-X') + 1] ?? 'GET'
  const given = args.includes('-X') ? method : args.includes('-d') ? 'POST' : 'GET'
  const matches = routes.some((route) =>
    new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${given} ${path}`),
  )
  return matches ? [] : [`there is no route ${given} ${path}`]
}
