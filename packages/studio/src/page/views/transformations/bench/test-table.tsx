import { DataTable } from '../../../parts/data-table.tsx'
import { durationText } from '../../../parts/format/duration-text.ts'
import { saveFile } from '../../../parts/save-file.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Pill } from '../../../parts/signs/pill.tsx'
import type { KeptTest } from '../trial/kept-tests.ts'
import type { Bench } from './use-bench.ts'

/** Events whose results were kept: each run must make the same of them. */
export function TestTable({ bench }: { readonly bench: Bench }) {
  const { tests, setTests, testResults } = bench
  const resultOf = ({ name }: KeptTest) => testResults.find((each) => each.name === name)
  if (tests.length === 0)
    return (
      <p class="side-note">
        None yet. Choose an event whose result is right, and press “Keep as a test”: each run then checks that its
        result is the same. Tests are kept until this page is closed; their files work with <code>sluice test</code>.
      </p>
    )
  return (
    <DataTable
      caption="Tests, kept until this page is closed"
      rows={tests}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        { title: 'Test', cell: ({ name }) => name },
        {
          title: 'Result',
          cell: (test) => {
            const result = resultOf(test)
            if (result === undefined) return 'not run yet'
            const isGood = result.differences.length === 0
            return (
              <>
                <Pill state={isGood ? 'good' : 'bad'} icon={isGood ? 'circle-check' : 'circle-x'} isBare>
                  {isGood ? 'passes' : 'fails'}
                </Pill>
                {result.differences.map((text) => (
                  <small key={text}>{text}</small>
                ))}
              </>
            )
          },
        },
        { title: 'Took', isNumber: true, cell: (test) => durationText(resultOf(test)?.tookMs ?? 0) },
        {
          title: '',
          cell: (test) => (
            <span class="row-actions">
              <button type="button" class="ghost small" onClick={() => saveTest(test)}>
                <Icon name="download" />
                Files of {test.name}
              </button>
              <button
                type="button"
                class="ghost square small"
                aria-label={`Remove ${test.name}`}
                onClick={() => setTests(tests.filter((each) => each !== test))}
              >
                <Icon name="x" />
              </button>
            </span>
          ),
        },
      ]}
    />
  )
}

/** Saves both files of `sluice test`: the event, and what is expected of it. */
function saveTest({ name, event, expected }: KeptTest): void {
  const file = name.replace(/[^\p{L}\p{N}]+/gu, '-')
  saveFile(JSON.stringify(event, null, 2), `${file}.input.json`, 'application/json')
  saveFile(JSON.stringify(expected.output, null, 2), `${file}.output.json`, 'application/json')
}
