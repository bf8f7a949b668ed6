const rows = [...document.querySelectorAll("#tests tr")];
const search = document.getElementById("search");
const buttons = [...document.querySelectorAll("#filters button")];

function show() {
  const hidden = new Set(
    buttons.filter(button => button.getAttribute("aria-pressed") === "false").map(button => button.dataset.verdict));
  const text = search.value.toLowerCase();
  for (const row of rows) {
    row.hidden = hidden.has(row.dataset.verdict) || !row.textContent.toLowerCase().includes(text);
  }
}

search.addEventListener("input", show);
for (const button of buttons) {
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
    show();
  });
}
