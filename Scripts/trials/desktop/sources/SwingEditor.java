import java.awt.event.ActionEvent;
import java.awt.event.InputEvent;
import java.awt.event.KeyEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.swing.AbstractAction;
import javax.swing.JFrame;
import javax.swing.JScrollPane;
import javax.swing.JTextArea;
import javax.swing.KeyStroke;
import javax.swing.SwingUtilities;
import javax.swing.WindowConstants;

/** A text editor of Swing for a file. Its text area copies and pastes by the keys of Swing. */
public class SwingEditor {
    public static void main(String[] arguments) throws IOException {
        Path path = Path.of(arguments[0]);
        String contents = Files.readString(path);
        SwingUtilities.invokeLater(() -> open(path, contents));
    }

    private static void open(Path path, String contents) {
        JFrame frame = new JFrame(path.getFileName().toString());
        JTextArea text = new JTextArea(contents, 20, 60);
        onKey(text, KeyEvent.VK_S, () -> save(path, text.getText()));
        onKey(text, KeyEvent.VK_Q, () -> System.exit(0));
        frame.setDefaultCloseOperation(WindowConstants.EXIT_ON_CLOSE);
        frame.add(new JScrollPane(text));
        frame.pack();
        frame.setVisible(true);
        text.requestFocusInWindow();
    }

    private static void onKey(JTextArea text, int key, Runnable action) {
        text.getInputMap().put(KeyStroke.getKeyStroke(key, InputEvent.CTRL_DOWN_MASK), action);
        text.getActionMap().put(action, new AbstractAction() {
            @Override
            public void actionPerformed(ActionEvent event) {
                action.run();
            }
        });
    }

    private static void save(Path path, String contents) {
        try {
            Files.writeString(path, contents);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
