package dev.heddle.explorer;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/// A figure read back from its SVG text, as a viewer sees it: labels at places.
final class DrawnFigure {
    /// Where a label stands.
    record Spot(int panel, int row, int column) {}

    final Document document;
    final Map<Spot, String> labels = new HashMap<>();
    final Map<Spot, String> details = new HashMap<>();

    private DrawnFigure(Document document) {
        this.document = document;
        List<Element> panels =
                elements(document.getDocumentElement(), "g").stream()
                        .filter(group -> group.getAttribute("class").equals("panel"))
                        .toList();
        for (int panel = 0; panel < panels.size(); panel++) {
            read(panels.get(panel), panel);
        }
    }

    static DrawnFigure of(String svg) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new DrawnFigure(
                    factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg))));
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new AssertionError("not well-formed: " + e.getMessage(), e);
        }
    }

    int width() {
        return number(document.getDocumentElement(), "width");
    }

    int height() {
        return number(document.getDocumentElement(), "height");
    }

    /// The text of every element of that class.
    List<String> texts(String type) {
        return elements(document.getDocumentElement(), "text").stream()
                .filter(text -> text.getAttribute("class").equals(type))
                .map(Element::getTextContent)
                .toList();
    }

    private void read(Element panel, int index) {
        for (Element text : elements(panel, "text")) {
            if (!text.hasAttribute("x")) {
                continue;
            }
            int row =
                    (number(text, "y") - 6 - number(panel, "data-top"))
                            / number(panel, "data-height");
            int column =
                    (number(text, "x") - number(panel, "data-left")) / number(panel, "data-width");
            Spot spot = new Spot(index, row, column);
            switch (((Element) text.getParentNode()).getAttribute("class")) {
                case "element" -> labels.put(spot, text.getTextContent());
                case "detail" -> details.put(spot, text.getTextContent());
                default -> {}
            }
        }
    }

    private static List<Element> elements(Element in, String tag) {
        NodeList nodes = in.getElementsByTagName(tag);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }
}
