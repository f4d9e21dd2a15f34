import { metricOf, metricTable, type Sample } from './metric-table.ts'

/** Formats samples for Prometheus (text format 0.0.4), by metric in the order of the table. */
export function prometheusText(samples: readonly Sample[]): string {
  const byMetric = new Map<string, Sample[]>()
  for (const sample of samples) {
    const metric = metricOf(sample)
    const known = byMetric.get(metric)
    if (known) known.push(sample)
    else byMetric.set(metric, [sample])
  }
  return Object.entries(metricTable)
    .flatMap(([metric, { help, type }]) => {
      const lines = byMetric.get(metric)?.map(line) ?? []
      return lines.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} ${type}`, ...lines]
    })
    .map((text) => `${text}\n`)
    .join('')
}

function line({ name, labels, value }: Sample): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function escaped(text: string): string {
  return text.replaceAll(/[\\"\n]/g, (character) => escapes[character] ?? '')
}
