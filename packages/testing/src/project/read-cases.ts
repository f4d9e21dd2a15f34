import { dirname, join } from 'node:path'
import { type ProjectCase, ProjectError } from './project.ts'
import { caseFileAt, caseName, isCaseFile, isFolder, isYaml, namesIn, shownPath } from './project-files.ts'

/** Folders of one set of cases. Beside `input` are folders with files of the same names. */
interface CaseFolders {
  readonly input: string
  readonly output: string
  /** Additional input folders that share the output folder. */
  readonly others?: readonly string[]
}

/** Name of a case without its own events. */
export const sampleCaseName = 'sample events'

/** The case of a transformation that has none: no sample event may fail, as in the Test API. */
export const sampleCase: ProjectCase = { name: sampleCaseName, conditionFiles: [] }

/** Name of the file with the recorded responses of all cases of a folder. */
const sharedFetchFile = 'fetch.json'

/** The sample case of a transformation whose cases would be in `folder`, where its responses are recorded. */
export function sampleCaseIn(folder: string): ProjectCase {
  return { ...sampleCase, fetch: { file: join(folder, sharedFetchFile) } }
}

/**
 * Reads the cases of a folder `input`: one per JSON or YAML file, with the expected results under the same name in `output`,
 * conditions in `conditions` beside `input` (and in `conditions.json` for all of them), recorded responses in `fetch`
 * (and in `fetch.json`), and requests in a folder per destination type.
 *
 * @param prefix prepended to the file name, to distinguish sets of cases.
 * @throws ProjectError when there are expected results without an input.
 */
export async function readCases(
  root: string,
  { input, output, others = [] }: CaseFolders,
  prefix = '',
): Promise<ProjectCase[]> {
  const inputs = (await namesIn(input)).filter(isCaseFile)
  const known = [...inputs, ...(await Promise.all(others.map(namesIn))).flat()].map(caseName)
  const beside = dirname(input)
  const twice = inputs.find((name, i) => inputs.map(caseName).indexOf(caseName(name)) !== i)
  if (twice !== undefined)
    throw new ProjectError(`${shownPath(root, join(input, twice))}: there is another file ${caseName(twice)}; keep one`)
  for (const folder of [output, join(beside, 'conditions'), join(beside, 'fetch')]) {
    const orphan = (await namesIn(folder)).find((name) => isCaseFile(name) && !known.includes(caseName(name)))
    if (orphan !== undefined)
      throw new ProjectError(
        `${shownPath(root, join(folder, orphan))}: belongs to no input; expected ${shownPath(root, join(input, orphan))}`,
      )
  }
  const recordings = (await namesIn(join(beside, 'fetch'))).find((name) => isYaml(name))
  if (recordings !== undefined)
    throw new ProjectError(`${shownPath(root, join(beside, 'fetch', recordings))}: recorded responses are JSON files`)
  if (inputs.length === 0 && (await isFolder(input)))
    throw new ProjectError(
      `${shownPath(root, input)}: holds no .json or .yaml file; put events there, or remove the folder`,
    )
  const cases: ProjectCase[] = []
  for (const fileName of inputs) {
    const name = caseName(fileName)
    cases.push({
      name: prefix + name,
      inputFile: join(input, fileName),
      outputFile: await caseFileAt(join(output, name)),
      requests: { folder: beside, fileName: `${name}.json` },
      conditionFiles: [
        await caseFileAt(join(beside, 'conditions')),
        await caseFileAt(join(beside, 'conditions', name)),
      ],
      fetch: { file: join(beside, 'fetch', `${name}.json`), sharedFile: join(beside, sharedFetchFile) },
    })
  }
  return cases
}
