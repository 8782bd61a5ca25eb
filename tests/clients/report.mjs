// Counts what held and what did not, and prints the closing line.

export class Report {
  #passed = 0;
  #failed = 0;

  /// Runs one check: `body` throws or returns a list of problems (empty: it holds).
  async check(name, body) {
    const start = Date.now();
    let problems;
    try {
      problems = (await body()) ?? [];
    } catch (error) {
      problems = [error instanceof ExpectationError ? error.message : (error?.stack ?? String(error))];
    }
    const took = ((Date.now() - start) / 1000).toFixed(1);
    if (problems.length === 0) {
      this.#passed += 1;
      console.log(`ok      ${name} (${took} s)`);
      return true;
    }
    this.#failed += 1;
    console.log(`FAILED  ${name} (${took} s)`);
    for (const problem of problems.slice(0, 25)) console.log(indent(problem));
    if (problems.length > 25) console.log(indent(`… and ${problems.length - 25} more`));
    return false;
  }

  /// Prints the closing line; returns the exit code.
  close() {
    console.log(`\n${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed === 0 && this.#passed > 0 ? 0 : 1;
  }
}

export class ExpectationError extends Error {}

/// Stops the check with `message` unless `condition` holds.
export function expect(condition, message) {
  if (!condition) throw new ExpectationError(message);
}

function indent(text) {
  return String(text)
    .slice(0, 4000)
    .split('\n')
    .map((line) => `          ${line}`)
    .join('\n');
}
