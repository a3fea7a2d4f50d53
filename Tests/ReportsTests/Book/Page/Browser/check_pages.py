"""Opens pages in headless Chromium with the network off, and checks that they load nothing, run without an error, have
no accessibility problem that axe-core finds, work by keyboard, print whole, fit 320 pixels, and open in time.

Usage: check_pages.py [--opening] [--screenshots FOLDER] [--seconds LIMIT] PAGE...

Needs Chromium (apt-get install chromium) and axe-playwright-python from PyPI, which brings axe-core and Playwright.
Exits with 77 if one of them is missing, with 1 if a check failed.
"""

import argparse
import pathlib
import shutil
import sys

SKIPPED = 77
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 320, "height": 700}


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import Error, sync_playwright
except ImportError as error:
    skip(f"{error.name} is missing; install axe-playwright-python from PyPI")

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
if CHROMIUM is None:
    skip("Chromium is missing; install the package chromium")


class Checks:
    """Checks of one page; what failed is collected in `problems`."""

    def __init__(self, browser, path, arguments):
        self.browser, self.path, self.arguments = browser, pathlib.Path(path).resolve(), arguments
        self.problems = []

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def open(self, size, theme="light"):
        context = self.browser.new_context(viewport=size, color_scheme=theme, offline=True)
        page = context.new_page()
        page.set_default_timeout(20_000)
        url = self.path.as_uri()
        page.on("request", lambda request: self.expect(
            request.url.split("#")[0] in (url, "data:,"), f"requests {request.url[:80]}"))
        page.on("console", lambda message: self.expect(
            message.type not in ("error", "warning"), f"console: {message.text}"))
        page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        page.on("dialog", lambda dialog: (self.problems.append("a dialog opened"), dialog.dismiss()))
        page.goto(url)
        return page

    def check_without_scripts(self):
        """Without scripts everything is there but the controls."""
        context = self.browser.new_context(viewport=WIDE, offline=True, java_script_enabled=False)
        page = context.new_page()
        page.goto(self.path.as_uri())
        for chapter in page.locator('[data-part="chapter"]').all():
            self.expect(chapter.locator(":scope > *").count() > 1, "a chapter is empty without scripts")
        for part in ("controls", "filter"):
            shown = page.locator(f'[data-part="{part}"]').locator("visible=true").count()
            self.expect(shown == 0, f"{part} is shown without scripts")
        context.close()

    def run(self):
        if self.arguments.opening:
            page = self.open(WIDE)
            self.check_time(page)
            self.picture(page, "wide-light")
            self.check_width(page, "wide")
            page.context.close()
            return
        for theme in ("light", "dark"):
            for name, size in (("wide", WIDE), ("narrow", NARROW)):
                page = self.open(size, theme)
                if theme == "light" and name == "wide":
                    self.check_time(page)
                self.check_width(page, name)
                self.check_height(page, name)
                self.picture(page, f"{name}-{theme}")
                page.evaluate(OPENING)
                self.check_width(page, f"{name}, all open")
                self.check_axe(page, f"{name}, {theme}")
                page.context.close()
        page = self.open(WIDE)
        self.check_theme(page)
        self.check_tables(page)
        self.check_chapters(page)
        self.check_hover(page)
        page.context.close()
        self.check_print()
        self.check_without_scripts()

    def check_time(self, page):
        seconds = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
        painted = page.evaluate("(performance.getEntriesByName('first-contentful-paint')[0] || {startTime: 0}).startTime")
        size = self.path.stat().st_size / 1e6
        print(f"{self.path.name}: {size:.1f} MB, first paint {painted / 1000:.2f} s, loaded in {seconds:.2f} s")
        self.expect(seconds <= self.arguments.seconds, f"loads in {seconds:.2f} s")

    def check_width(self, page, name):
        width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        self.expect(width <= 0, f"{name}: {width} pixels too wide")

    def check_height(self, page, name):
        """A closed page of a few experiments can be read without much scrolling."""
        height = page.evaluate("document.documentElement.scrollHeight")
        few = page.locator(".card").count() <= 4
        self.expect(not few or name != "wide" or height <= 4000, f"{name}: {height} pixels tall")

    def check_axe(self, page, name):
        for violation in Axe().run(page).response["violations"]:
            places = [node["html"][:120] for node in violation["nodes"]]
            self.problems.append(f"axe, {name}: {violation['id']} at {len(places)} places: {places[:3]}")

    def check_theme(self, page):
        ground = "getComputedStyle(document.body).backgroundColor"
        before = page.evaluate(ground)
        button = page.locator('[data-part="theme"]')
        button.focus()
        page.keyboard.press("Enter")
        self.expect(page.evaluate(ground) != before, "the theme button changes nothing")
        self.expect(button.get_attribute("aria-pressed") == "true", "the theme button does not say that it is pressed")
        page.keyboard.press("Enter")
        self.expect(page.evaluate(ground) == before, "the theme does not come back")

    def check_tables(self, page):
        problem = page.evaluate(SORTING)
        self.expect(problem is None, f"sorting: {problem}")
        page.evaluate(OPENING)
        fields = page.locator('input[type="search"]').locator("visible=true")
        if fields.count():
            field = fields.first
            field.scroll_into_view_if_needed()
            rows = page.locator(f"#{field.get_attribute('aria-controls')} tbody tr")
            before = rows.count()
            field.fill(rows.nth(1).inner_text().split("\t")[0])
            shown = rows.locator("visible=true").count()
            self.expect(0 < shown < before or before == 1, f"filtering shows {shown} of {before} rows")
            field.fill("")
            self.expect(rows.locator("visible=true").count() == before, "an empty filter hides rows")
        switches = page.locator(".wide input").locator("visible=true")
        if switches.count():
            hidden = f"#{switches.first.get_attribute('aria-controls')} thead .x"
            self.expect(not page.locator(hidden).first.is_visible(), "a column that is not main is shown")
            switches.first.focus()
            page.keyboard.press("Space")
            self.expect(page.locator(hidden).first.is_visible(), "the switch shows no column")

    def check_chapters(self, page):
        page.reload()
        closed = page.locator('[data-part="chapter"]:not([open])')
        if not closed.count():
            return
        for _ in range(100):
            if not page.locator("noscript").count():
                break
            page.wait_for_timeout(100)
        self.expect(closed.last.locator(":scope > *").count() > 1, "a closed chapter is empty")
        report = closed.last.locator(".report").last.get_attribute("id")
        page.evaluate("(id) => { location.hash = id }", report)
        page.wait_for_timeout(200)
        self.expect(page.locator(f'[id="{report}"]').is_visible(), "a link to a report opens no chapter")
        anchor = page.locator(".chapter").last.evaluate("chapter => chapter.id || chapter.querySelector('details').id")
        page.locator(f'.side a[href="#{anchor}"]').click()
        page.wait_for_timeout(200)
        top = page.evaluate("(id) => document.getElementById(id).getBoundingClientRect().top", anchor)
        self.expect(-5 <= top < 850, f"a link leads to {top} pixels from the top")
        page.goto("about:blank")
        page.goto(self.path.as_uri())
        page.locator('[data-part="open-all"]').click()
        self.expect(closed.count() == 0, "not all chapters open")
        page.locator('[data-part="open-all"]').click()

    def check_hover(self, page):
        place = page.evaluate(FIRST_MARK)
        if place is None:
            return
        page.mouse.move(*place)
        self.expect(page.locator(".tip").is_visible(), "a plot shows no value")
        self.expect(page.locator(".tip").inner_text().strip() != "", "a plot shows an empty value")
        page.keyboard.press("Escape")
        self.expect(not page.locator(".tip").is_visible(), "the value of a plot cannot be dismissed")

    def check_print(self):
        """Every chapter is printed, also those that are closed."""
        page = self.open(WIDE)
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        closed = page.locator("details:not([open]):not(.more)").count()
        self.expect(closed == 0, f"{closed} parts are not printed")
        for part in (".side", ".tools"):
            self.expect(page.locator(part).locator("visible=true").count() == 0, f"{part} is printed")
        self.picture(page, "print")
        if self.arguments.screenshots:
            page.pdf(path=self.file("print.pdf"), format="A4", print_background=True)
        page.context.close()

    def file(self, name):
        folder = pathlib.Path(self.arguments.screenshots)
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder / f"{self.path.stem}-{name}")

    def picture(self, page, name):
        if self.arguments.screenshots:
            page.screenshot(path=self.file(f"{name}.png"))


# Opens what is closed, of the chapters only two: the others are like them, and axe-core takes its time.
OPENING = r"""() => {
  const chapters = [...document.querySelectorAll('[data-part="chapter"]')];
  for (const details of document.querySelectorAll("details")) {
    details.open = chapters.indexOf(details.closest('[data-part="chapter"]')) < 2;
  }
}"""

# Scrolls to the first mark that has a value; answers where it is, or null.
FIRST_MARK = r"""async () => {
  for (const title of document.querySelectorAll('[data-part="plot"] svg * > title')) {
    const mark = title.parentNode;
    if (!mark.checkVisibility()) continue;
    for (let i = 0; i < 3; i++) {
      mark.scrollIntoView({ block: "center" });
      await new Promise((done) => setTimeout(done, 100));
    }
    const box = mark.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
  return null;
}"""

# Sorts each column of every table up and down by its button; answers what is wrong, or null.
SORTING = r"""() => {
  const texts = new Intl.Collator("en", { numeric: true });
  for (const table of [...document.querySelectorAll('[data-part="table"] table')].slice(0, 20)) {
    for (const heading of [...table.tHead.rows[0].cells]) {
      for (const direction of ["ascending", "descending"]) {
        heading.querySelector("button").click();
        const name = `${table.id} ${heading.textContent} ${direction}`;
        if (heading.getAttribute("aria-sort") !== direction) return `${name}: aria-sort`;
        const cells = [...table.tBodies[0].rows].map((row) => row.cells[heading.cellIndex]);
        const full = cells.filter((cell) => cell.textContent !== "–");
        if (cells.slice(0, full.length).some((cell) => cell.textContent === "–")) return `${name}: empty cells`;
        for (let i = 1; i < full.length; i++) {
          const isNumber = heading.classList.contains("n");
          const [a, b] = [full[i - 1], full[i]].map((cell) => isNumber ? Number(cell.dataset.v || cell.textContent) : cell.textContent);
          if (isNumber && (Number.isNaN(a) || Number.isNaN(b))) return `${name}: no number`;
          const order = isNumber ? a - b : texts.compare(a, b);
          if (direction === "ascending" ? order > 0 : order < 0) return `${name}: ${a} before ${b}`;
        }
      }
    }
    if (table.querySelectorAll("[aria-sort]").length !== 1) return `${table.id}: several sorted columns`;
  }
  return null;
}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", metavar="PAGE")
    parser.add_argument("--screenshots", metavar="FOLDER")
    parser.add_argument("--opening", action="store_true", help="only check that the pages open in time")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="LIMIT")
    arguments = parser.parse_args()
    failed = False
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM)
        except Error as error:
            skip(f"Chromium does not start: {error.message.splitlines()[0]}")
        for path in arguments.pages:
            checks = Checks(browser, path, arguments)
            try:
                checks.run()
            except Error as error:
                checks.problems.append(f"gave up: {error.message}")
            for problem in checks.problems:
                print(f"{path}: {problem}")
            failed = failed or bool(checks.problems)
        browser.close()
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
