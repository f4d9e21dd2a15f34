// @ts-check

const { numbers, first } = hostProbes

export { first, numbers as hits }
